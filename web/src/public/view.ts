import type { Progress } from '@marsad/server/contract';
import { countDown } from './estimate.ts';
import { isKnown, type Section, type WaitState } from './state.ts';
import type { LiveTexts, Notice, Phase } from './texts/texts.ts';
import { fill, type Words } from './words.ts';

/** What stands on the glass, as plain words: the painter only copies it. */
export interface View {
	section: Section;
	title: string;
	/** Text by the name of the element that shows it; an empty one is hidden. */
	texts: Readonly<Record<string, string>>;
	/** Parts that are there or not. */
	shown: Readonly<Record<string, boolean>>;
	/** Share of the way from the first place to the turn, 0 to 1. */
	progress: number;
	buttonsDisabled: boolean;
	joinDisabled: boolean;
	/** What a screen reader may hear of it. */
	announcement: string;
	/** A new one is said at once, whatever was said before. */
	moment: string;
}

/** Without a word of the server's: so long before the turn a page gives notice (s). */
const noticeSecondsDefault = 120;

/** Draws the state in words. Pure. `refused`: the browser keeps nothing. */
export function createView(texts: LiveTexts, words: Words, refused = false) {
	return (state: WaitState, now: number): View => {
		const known = isKnown(state);
		const door = doorOf(state, now);
		const seconds = state.section === 'waiting' ? countDown(state.etaSeconds, now - state.etaAt) : null;
		const soon = seconds !== null && seconds <= (state.progress?.noticeSeconds ?? noticeSecondsDefault);
		const notice = noticeOf(state, door.phase, refused);
		const all: Record<string, string> = {
			clock: words.time(now, state.timeZone, { timeZoneName: 'short' }),
			notice: notice ? texts.notices[notice] : '',
			reason: reasonText(state, texts),
			retry: retryText(state, now, texts, words),
			'sold-out': soldOutText(state.progress, texts, words),
			...outsideTexts(state, now, door.phase, texts, words),
			...(state.section === 'waiting' ? waitingTexts(state, seconds, soon, texts, words) : {}),
			'claim-left': state.claimBefore === null ? '' : words.clockLeft(state.claimBefore - now),
			'ended-heading': state.ending ? texts.endings[state.ending].heading : '',
			'ended-text': state.ending ? texts.endings[state.ending].text : '',
			'choosing-heading': texts.headings[state.changing ? 'changing' : 'choosing']
		};
		const signIn = state.identity === 'sign-in' && !known;
		const moment = `${state.section}${soon}${notice === 'signed-out'}`;
		return {
			section: state.section,
			title: title(state, texts, words),
			texts: all,
			shown: {
				notice: notice !== null,
				mark: state.progress?.mark === 'simulated' || state.identity === 'demo',
				door: door.open,
				'sign-in': signIn,
				'sign-in-again': signIn && state.section !== 'start' && state.section !== 'called',
				'sign-out': state.identity === 'sign-in' && known,
				claim: known,
				prepare: door.phase === 'countdown' && known && state.ready === null,
				recheck: Boolean(state.progress?.draw),
				'change-off': !state.changeOff,
				changing: state.changing
			},
			progress: progressShare(state),
			buttonsDisabled: state.wanted !== null,
			joinDisabled: state.wanted !== null || door.closed,
			announcement: announcement(state, all, texts),
			moment
		};
	};
}

/** What somebody outside finds, by the schedule and the duty manager's hand. */
function doorOf(state: WaitState, now: number): { phase: Phase; open: boolean; closed: boolean } {
	const { progress } = state;
	const phase: Phase = progress?.state ?? 'open';
	const registers = (progress?.preQueueOpensAt ?? Infinity) <= now + state.clockOffsetMs;
	const anonymous = isKnown(state) || progress?.anonymousPlaces !== false || state.identity !== 'sign-in';
	return {
		phase,
		open:
			phase !== 'closed' && (phase !== 'countdown' || registers) && anonymous && state.identity !== 'none',
		closed: progress !== null && (!progress.joinsOpen || progress.mode === 'reject')
	};
}

const verificationLevel = 4;

function noticeOf(state: WaitState, phase: Phase, refused: boolean): Notice | null {
	if (state.notice) return state.notice;
	const { progress, section, identity } = state;
	const outside = section === 'start' || section === 'ended';
	if (identity === 'none' && (outside || section === 'called')) return 'sign-in-off';
	if (progress && progress.level >= verificationLevel && section !== 'booked') return 'verification';
	if (outside && phase === 'closed') return 'closed';
	if (outside && progress && (!progress.joinsOpen || progress.mode === 'reject')) return 'joins-closed';
	if (identity === 'unavailable' && (outside || section === 'called')) return 'sign-in-away';
	return refused && section !== 'booked' ? 'no-storage' : null;
}

function reasonText({ reason }: WaitState, texts: LiveTexts): string {
	const said = typeof reason === 'string' ? reason : reason[texts.placeNames];
	return said && fill(texts.reason, { reason: said });
}

function title(state: WaitState, texts: LiveTexts, words: Words): string {
	const text = texts.titles[state.section === 'loading' ? 'start' : state.section];
	return state.section === 'waiting' ? `${words.ahead(state.ahead).figure} · ${text}` : text;
}

function retryText(state: WaitState, now: number, texts: LiveTexts, words: Words): string {
	if (state.failures === 0 || !state.notice || !state.next) return '';
	const seconds = Math.ceil((state.next.at - now) / 1_000);
	if (seconds <= 0) return texts.retryNow;
	return fill(texts.retryIn, { n: words.counted(seconds, texts.seconds) });
}

function soldOutText(progress: Progress | null, texts: LiveTexts, words: Words): string {
	if (!progress?.soldOut) return '';
	const days = (progress.otherDays ?? []).map(({ date }) => words.day(Date.parse(date), 'UTC'));
	const other = days.length > 0 ? ` ${fill(texts.otherDays, { days: words.list(days) })}` : '';
	return texts.soldOut + other;
}

/** Before a place, and before the order is drawn. */
function outsideTexts(
	state: WaitState,
	now: number,
	phase: Phase,
	texts: LiveTexts,
	words: Words
): Record<string, string> {
	const { progress, section, ready } = state;
	const late = section === 'registered' && state.place?.late;
	const countdown = phase === 'countdown' && progress?.opensAt;
	const opensAt = countdown ? countdown - state.clockOffsetMs : 0;
	const draw = progress?.preQueueOpensAt != null;
	const open = {
		'start-heading': texts.headings[phase],
		'registered-heading':
			texts.headings[phase === 'drawing' ? 'drawing' : late ? 'registered-late' : 'registered'],
		'registered-text': late ? texts.registeredLate : phase === 'drawing' ? texts.drawing : '',
		drawing: phase === 'drawing' ? texts.drawing : '',
		join: countdown ? texts.register : texts.join
	};
	if (!countdown) return open;
	const { registered } = progress;
	return {
		...open,
		'opens-at': fill(texts.opensAt, {
			// By the clock of the person, as the sentence says: many wait in another country.
			date: words.day(opensAt, undefined),
			time: words.time(opensAt, undefined)
		}),
		'opens-in': fill(texts.opensIn, { n: words.until(opensAt - now) }),
		fairness: draw ? texts.equalChance : texts.firstCome,
		registered: registered ? words.counted(registered, texts.registeredCount) : '',
		prepared: ready ? texts.prepared : texts.notPrepared
	};
}

function waitingTexts(
	state: WaitState,
	seconds: number | null,
	soon: boolean,
	texts: LiveTexts,
	words: Words
): Record<string, string> {
	const { progress, place } = state;
	const ahead = words.ahead(state.ahead);
	const nobody = state.ahead === 0;
	const { rise } = state.expectation;
	return {
		'ahead-label': nobody ? '' : ahead.label,
		ahead: nobody ? '' : ahead.figure,
		'ahead-noun': nobody ? '' : ahead.noun,
		nobody: nobody ? texts.nobodyAhead : '',
		eta: words.wait(seconds),
		soon: soon ? texts.soon : '',
		standing: seconds === null ? texts.standing[progress?.bookingOpen === false ? 'closed' : 'paused'] : '',
		rise: rise && seconds !== null ? riseText(rise, texts, words) : '',
		number: place?.number == null ? '' : words.number(place.number),
		updated: state.newsAt === null ? '' : words.time(state.newsAt, state.timeZone, { second: '2-digit' })
	};
}

function riseText(
	rise: NonNullable<WaitState['expectation']['rise']>,
	texts: LiveTexts,
	words: Words
): string {
	const why = texts.slowedBy[rise.why];
	if (rise.seconds < 60) return fill(texts.roseLittle, { why });
	return fill(texts.rose, { by: words.minutes(rise.seconds), why });
}

function progressShare(state: WaitState): number {
	const first = state.place?.firstAhead ?? 0;
	return first > 0 ? Math.min(1, Math.max(0, 1 - state.ahead / first)) : state.place ? 1 : 0;
}

function announcement(state: WaitState, all: Readonly<Record<string, string>>, texts: LiveTexts): string {
	const { section } = state;
	const heading = section === 'loading' || section === 'start' ? '' : texts.titles[section];
	const parts =
		section === 'waiting'
			? [
					[all['ahead-label'], all['ahead'], all['ahead-noun'], all['nobody']].filter(Boolean).join(' '),
					all['eta'],
					all['soon'],
					all['rise'],
					all['sold-out']
				]
			: [heading.replace('✔ ', ''), section === 'registered' ? all['registered-text'] : ''];
	return [...parts, all['notice'], all['reason']].filter(Boolean).join('. ');
}
