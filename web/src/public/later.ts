import type { Permit, Slot } from '@marsad/server/contract';
import { lastAsker, lookAtPermit } from './calls-booking.ts';
import { createDates, type Dates } from './dates.ts';
import { setChanging } from './machine-booking.ts';
import { askAt, type Context, type WaitState, type Wanted } from './state.ts';
import type { OfferCard } from './offer.ts';
import { parts } from './parts.ts';
import type { Language, LiveTexts } from './texts/texts.ts';
import { fill, type Words } from './words.ts';

/**
 * What is needed only once a turn is near: slots and the permit. A script of its own, so that the first load of a
 * page that waits stays small.
 */
export interface Later {
	texts(state: WaitState, now: number): Record<string, string>;
	paint(state: WaitState, now: number): void;
	/** What a button asks for that changes nothing yet, or nothing at the server. */
	press(name: string): void;
}

/** What the part needs of the page that loaded it. */
export interface LivingPage {
	state(): WaitState;
	/** Takes the next state, shows it and does what is due. */
	become(next: WaitState): void;
	pressed(action: Wanted['action'], more?: { party?: number; slot?: number }): void;
	context(): Context;
	/** A tab of this browser has a permit. */
	hasPermit(): boolean;
}

/** One line of the list of slots. */
interface SlotLine {
	id: number;
	day: string;
	hours: string;
	place: string;
	left: string;
	/** Offered in place of a full one. */
	offered: boolean;
	disabled: boolean;
	working: boolean;
}

export function createLater(deps: {
	root: HTMLElement;
	texts: LiveTexts;
	words: Words;
	page: LivingPage;
}): Later {
	const { root, texts, words, page } = deps;
	const dates = createDates(texts, (at, timeZone) => words.time(at, timeZone));
	const part = <E extends HTMLElement>(name: string) => root.querySelector<E>(`[data-part="${name}"]`)!;
	const slotList = part('slots');
	const qr = part<HTMLImageElement>('qr');
	const picture = part<HTMLImageElement>('picture');
	picture.addEventListener('error', () => (picture.hidden = true));
	// Another tab of this browser booked: what it got is this tab's, too.
	addEventListener('storage', () => {
		const state = page.state();
		if (state.section === 'booked' || state.wanted || !page.hasPermit()) return;
		page.become(askAt(state, 'permit', Date.now()));
	});
	let slotsDrawn = '';
	const offer = createOfferPlace(deps);
	watchPermit(page);

	/** Asks before something is given up: the question's words, and the press that its yes stands for. */
	const question = (action: 'cancel' | 'leave' | 'change' | 'decline', slot = 0) => {
		const dialog = root.querySelector('dialog')!;
		const asked = action === 'decline' ? offer.card()?.question : texts.questions[action];
		if (!asked) return;
		for (const element of dialog.querySelectorAll<HTMLElement>('[data-ask]')) {
			const text = asked[element.dataset['ask'] as keyof typeof asked];
			element.textContent = fill(text, { slot: slot ? slotInWords(slot) : '' });
		}
		const yes = dialog.querySelector<HTMLElement>('.danger')!;
		yes.dataset['press'] = action;
		yes.dataset['forSlot'] = String(slot);
		dialog.showModal();
	};
	const slotInWords = (id: number) => {
		const state = page.state();
		const slot = state.slots?.slots.find((one) => one.id === id);
		if (!slot) return '';
		const { day, hours, place } = slotLine(slot, state, texts, words, dates);
		return [day, hours, place].join(' · ');
	};

	/** Asked for once a place, and not at all while pictures are switched off. */
	const showPicture = ({ permit, progress }: WaitState) => {
		const off = progress?.off?.includes('images');
		const source = permit?.placeName && !off ? `/places/${encodeURIComponent(permit.place)}/picture` : '';
		if (picture.getAttribute('src') === source || (off && picture.src)) return;
		picture.hidden = source === '';
		if (source) picture.src = source;
	};

	slotList.addEventListener('click', (event) => {
		const button = (event.target as Element).closest<HTMLElement>('[data-slot]');
		if (!button || button.getAttribute('aria-disabled') === 'true') return;
		const slot = Number(button.dataset['slot']);
		if (page.state().changing) question('change', slot);
		else page.pressed('book', { slot });
	});

	return {
		texts: (state, now) => ({
			...choosingTexts(state, now, texts, words),
			...permitTexts(state, texts, words, dates)
		}),
		paint(state, now) {
			const source = state.permit?.qr ? `data:image/svg+xml,${encodeURIComponent(state.permit.qr)}` : '';
			qr.hidden = source === '';
			if (source && qr.src !== source) qr.src = source;
			showPicture(state);
			offer.paint(state);
			if (state.section !== 'choosing') return;
			const lines = slotsToCome(state, now).map((slot) => slotLine(slot, state, texts, words, dates));
			part('no-slots').hidden = lines.length > 0 || state.slots === null;
			const text = JSON.stringify(lines);
			if (text === slotsDrawn) return;
			slotsDrawn = text;
			const focused = (document.activeElement as HTMLElement | null)?.dataset['slot'];
			slotList.replaceChildren(...slotElements(lines, texts));
			if (focused) slotList.querySelector<HTMLElement>(`[data-slot="${focused}"]`)?.focus();
		},
		press(name) {
			if (name === 'print') void printPermit(root.dataset);
			else if (name === 'ask-cancel') question('cancel');
			else if (name === 'ask-leave') question('leave');
			else if (name === 'ask-decline') question('decline');
			else page.become(setChanging(page.state(), name === 'start-change', page.context()));
		}
	};
}

/** The page made for paper; without a network this page itself, which has the same code. */
async function printPermit({ print: script, wait }: DOMStringMap): Promise<void> {
	try {
		await import(/* @vite-ignore */ script!);
		await parts().print!.printPaper(lastAsker()!, wait!);
	} catch {
		print();
	}
}

/** The card of an offer: its script comes with the first offer, and the page is whole without it. */
function createOfferPlace(deps: { root: HTMLElement; texts: LiveTexts; words: Words; page: LivingPage }) {
	const { root, page } = deps;
	let card: OfferCard | null = null;
	let loading = false;
	const load = async () => {
		if (loading) return;
		loading = true;
		try {
			await import(/* @vite-ignore */ root.dataset['offer']!);
			const language = root.dataset['wait'] as Language;
			card = parts().offer?.createOffer({ ...deps, language }) ?? null;
			card?.paint(page.state());
		} catch {
			// With the next look at the permit it is tried again.
			loading = false;
		}
	};
	return {
		card: () => card,
		paint(state: WaitState) {
			if (card) card.paint(state);
			else if (state.section === 'booked' && state.permit?.offer) void load();
		}
	};
}

const permitLookMs = 60_000;

/** A permit that stays open hears within a minute or so that another slot is offered; nothing is said while that fails. */
function watchPermit(page: LivingPage): void {
	const look = async () => {
		const before = page.state();
		const isIdle = before.section === 'booked' && !before.wanted && !before.next && !document.hidden;
		const answer = isIdle ? await lookAtPermit() : null;
		const state = page.state();
		if (answer && state.permit === before.permit && !state.wanted && !state.next) {
			if (answer.status === 204) page.become(askAt(state, 'permit', Date.now()));
			else if (answer.status === 200) page.become({ ...state, permit: answer.body as Permit });
		}
		setTimeout(() => void look(), permitLookMs * (0.75 + Math.random() / 2));
	};
	setTimeout(() => void look(), permitLookMs * (0.75 + Math.random() / 2));
}

/** Slots that have not ended, earliest first. */
function slotsToCome(state: WaitState, now: number): Slot[] {
	const serverNow = now + state.clockOffsetMs;
	return (state.slots?.slots ?? [])
		.filter(({ endsAt }) => endsAt > serverNow)
		.sort((a, b) => a.startsAt - b.startsAt || a.id - b.id);
}

function slotLine(slot: Slot, state: WaitState, texts: LiveTexts, words: Words, dates: Dates): SlotLine {
	const { slots, wanted, permit, changing } = state;
	const full = slot.full || slot.left === 0;
	const party = (changing ? permit?.party : state.place?.party) ?? 1;
	const own = changing && permit?.slot === slot.id;
	return {
		id: slot.id,
		day: dates.day(slot.startsAt, slots?.timeZone),
		hours: dates.hours(slot.startsAt, slot.endsAt, slots?.timeZone),
		place: slots?.places?.[slot.place]?.[texts.placeNames] ?? slot.place,
		left: full ? texts.full : slot.left === null ? '' : words.counted(slot.left, texts.placesLeft),
		offered: !full && state.offered.includes(slot.id),
		disabled: full || own || (slot.left ?? party) < party || wanted !== null || slots?.bookingOpen === false,
		working: (wanted?.action === 'book' || wanted?.action === 'change') && wanted.slot === slot.id
	};
}

/** How long the pass still lasts, and what is chosen with it. */
function choosingTexts(
	state: WaitState,
	now: number,
	texts: LiveTexts,
	words: Words
): Record<string, string> {
	const pass = state.place?.pass;
	return {
		'pass-left': pass ? words.clockLeft(pass.expiresAt - state.clockOffsetMs - now) : '',
		'choosing-lead': state.changing ? texts.changingLead : texts.choosingLead
	};
}

function permitTexts(state: WaitState, texts: LiveTexts, words: Words, dates: Dates): Record<string, string> {
	const { permit, slots } = state;
	if (!permit) return {};
	const timeZone = permit.timeZone ?? slots?.timeZone;
	const name = texts.placeNames;
	return {
		'permit-place': permit.placeName?.[name] ?? slots?.places?.[permit.place]?.[name] ?? permit.place,
		'permit-day': dates.gregorian(permit.startsAt, timeZone),
		'permit-hijri': dates.hijri(permit.startsAt, timeZone),
		'permit-hours': dates.hours(permit.startsAt, permit.endsAt, timeZone),
		'permit-party': words.counted(permit.party, texts.partyOf),
		'permit-id': permit.id
	};
}

/** Days as headings, their slots as buttons. A full one stays reachable, so that it can be read. */
function slotElements(lines: readonly SlotLine[], texts: LiveTexts): HTMLElement[] {
	const elements: HTMLElement[] = [];
	let day = '';
	let list: HTMLElement | null = null;
	for (const slot of lines) {
		if (slot.day !== day || !list) {
			day = slot.day;
			list = make('ul', 'slots');
			elements.push(make('h2', '', day), list);
		}
		const button = make('button', 'slot');
		button.setAttribute('type', 'button');
		button.dataset['slot'] = String(slot.id);
		if (slot.disabled) button.setAttribute('aria-disabled', 'true');
		if (slot.working) button.setAttribute('aria-busy', 'true');
		const place = make('span', '', slot.place);
		place.lang = texts.placeNames;
		button.append(make('b', '', slot.hours), place, make('span', 'left', slot.left));
		if (slot.offered) button.append(make('span', 'offered', texts.offered));
		const item = make('li');
		item.append(button);
		list.append(item);
	}
	return elements;
}

function make(tag: string, className = '', text = ''): HTMLElement {
	const element = document.createElement(tag);
	if (className) element.className = className;
	if (text) element.textContent = text;
	return element;
}
