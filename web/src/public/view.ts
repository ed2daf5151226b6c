import type { Slot } from '@marsad/server/contract';
import { countDown } from './estimate.ts';
import type { Section, WaitState } from './state.ts';
import type { LiveTexts } from './texts/texts.ts';
import { fill, type Words } from './words.ts';

/** One line of the list of slots. */
export interface SlotLine {
	id: number;
	day: string;
	hours: string;
	place: string;
	left: string;
	disabled: boolean;
	working: boolean;
}

/** What stands on the glass, as plain words: the painter only copies it. */
export interface View {
	section: Section;
	title: string;
	simulated: boolean;
	notice: string;
	retry: string;
	/** Text by the name of the element that shows it; an empty one is hidden. */
	texts: Readonly<Record<string, string>>;
	/** Share of the way from the first place to the turn, 0 to 1. */
	progress: number;
	buttonsDisabled: boolean;
	joinDisabled: boolean;
	slots: readonly SlotLine[];
	qr: string;
	/** What a screen reader may hear of it. */
	announcement: string;
}

/** Draws the state in words. Pure. */
export function createView(texts: LiveTexts, words: Words, language: 'ar' | 'en') {
	return (state: WaitState, now: number): View => {
		const notice = noticeText(state, texts);
		const waiting = waitingTexts(state, now, texts, words);
		const ending = state.ending && texts.endings[state.ending];
		const all: Record<string, string> = {
			clock: words.time(now, undefined),
			...waiting,
			'claim-left': state.claimBefore === null ? '' : words.clockLeft(state.claimBefore - now),
			'pass-left': passLeft(state, now, words),
			'ended-heading': ending?.heading ?? '',
			'ended-text': ending?.text ?? '',
			...permitTexts(state, texts, words, language)
		};
		return {
			section: state.section,
			title: title(state, texts, words),
			simulated: state.progress?.mark === 'simulated',
			notice,
			retry: retryText(state, now, texts, words),
			texts: all,
			progress: progressShare(state),
			buttonsDisabled: state.wanted !== null,
			joinDisabled: state.wanted !== null || doorClosed(state),
			slots: slotsToCome(state, now).map((slot) => slotLine(slot, state, texts, words, language)),
			qr: state.permit?.qr ?? '',
			announcement: announcement(state, all, notice, texts)
		};
	};
}

function title(state: WaitState, texts: LiveTexts, words: Words): string {
	const text = texts.titles[state.section === 'loading' ? 'start' : state.section];
	return state.section === 'waiting' ? `${words.ahead(state.ahead).figure} · ${text}` : text;
}

function doorClosed(state: WaitState): boolean {
	const { progress } = state;
	return progress !== null && (!progress.joinsOpen || progress.mode === 'reject');
}

function noticeText(state: WaitState, texts: LiveTexts): string {
	if (state.notice) return texts.notices[state.notice];
	const outside = state.section === 'start' || state.section === 'ended';
	return outside && doorClosed(state) ? texts.notices['joins-closed'] : '';
}

function retryText(state: WaitState, now: number, texts: LiveTexts, words: Words): string {
	if (state.failures === 0 || !state.notice || !state.next) return '';
	const seconds = Math.ceil((state.next.at - now) / 1_000);
	if (seconds <= 0) return texts.retryNow;
	return fill(texts.retryIn, { n: words.counted(seconds, texts.seconds) });
}

function waitingTexts(state: WaitState, now: number, texts: LiveTexts, words: Words): Record<string, string> {
	const { progress, place } = state;
	const ahead = words.ahead(state.ahead);
	const nobody = state.ahead === 0;
	const seconds = countDown(state.etaSeconds, now - state.etaAt);
	const { rise } = state.expectation;
	return {
		'ahead-label': nobody ? '' : ahead.label,
		ahead: nobody ? '' : ahead.figure,
		'ahead-noun': nobody ? '' : ahead.noun,
		nobody: nobody ? texts.nobodyAhead : '',
		eta: words.wait(seconds),
		standing: seconds === null ? texts.standing[progress?.bookingOpen === false ? 'closed' : 'paused'] : '',
		rise: rise && seconds !== null ? riseText(rise, texts, words) : '',
		number: place ? words.number(place.number) : '',
		updated: state.newsAt === null ? '' : words.time(state.newsAt, undefined, true)
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

function passLeft(state: WaitState, now: number, words: Words): string {
	const pass = state.place?.pass;
	return pass ? words.clockLeft(pass.expiresAt - state.clockOffsetMs - now) : '';
}

/** Slots that have not ended, earliest first. */
function slotsToCome(state: WaitState, now: number): Slot[] {
	const serverNow = now + state.clockOffsetMs;
	return (state.slots?.slots ?? [])
		.filter(({ endsAt }) => endsAt > serverNow)
		.sort((a, b) => a.startsAt - b.startsAt || a.id - b.id);
}

function slotLine(
	slot: Slot,
	state: WaitState,
	texts: LiveTexts,
	words: Words,
	language: 'ar' | 'en'
): SlotLine {
	const { slots, wanted } = state;
	const full = slot.full || slot.left === 0;
	const tooFew = slot.left !== null && slot.left < (state.place?.party ?? 1);
	return {
		id: slot.id,
		day: words.day(slot.startsAt, slots?.timeZone),
		hours: words.hours(slot.startsAt, slot.endsAt, slots?.timeZone),
		place: slots?.places?.[slot.place]?.[language] ?? slot.place,
		left: full ? texts.full : slot.left === null ? '' : words.counted(slot.left, texts.placesLeft),
		disabled: full || tooFew || wanted !== null || slots?.bookingOpen === false,
		working: wanted?.action === 'book' && wanted.slot === slot.id
	};
}

function permitTexts(
	state: WaitState,
	texts: LiveTexts,
	words: Words,
	language: 'ar' | 'en'
): Record<string, string> {
	const { permit } = state;
	if (!permit) return {};
	const timeZone = permit.timeZone ?? state.slots?.timeZone;
	return {
		'permit-place':
			permit.placeName?.[language] ?? state.slots?.places?.[permit.place]?.[language] ?? permit.place,
		'permit-day': words.gregorian(permit.startsAt, timeZone),
		'permit-hijri': words.hijri(permit.startsAt, timeZone),
		'permit-hours': words.hours(permit.startsAt, permit.endsAt, timeZone),
		'permit-party': words.counted(permit.party, texts.partyOf),
		'permit-id': permit.id
	};
}

function announcement(
	state: WaitState,
	all: Readonly<Record<string, string>>,
	notice: string,
	texts: LiveTexts
): string {
	const heading = state.section === 'loading' || state.section === 'start' ? '' : texts.titles[state.section];
	const parts =
		state.section === 'waiting'
			? [
					[all['ahead-label'], all.ahead, all['ahead-noun'], all.nobody].filter(Boolean).join(' '),
					all.eta,
					all.rise
				]
			: [heading.replace('✔ ', '')];
	return [...parts, notice].filter(Boolean).join('. ');
}
