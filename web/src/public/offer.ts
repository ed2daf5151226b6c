import type { PermitOffer } from '@marsad/server/contract';
import { createDates } from './dates.ts';
import { offerTexts } from './offer-texts.ts';
import type { WaitState } from './state.ts';
import type { Language, LiveTexts } from './texts/texts.ts';
import { fill, type Words } from './words.ts';

/** The offer of another slot, above the permit whose slot shrinks or closes. */
export interface OfferCard {
	/** Shows what is offered now, or nothing. */
	paint(state: WaitState): void;
	/** The words of the question before a permit is given up. */
	question: { heading: string; lead: string; yes: string; no: string };
}

export function createOffer(deps: {
	root: HTMLElement;
	texts: LiveTexts;
	words: Words;
	language: Language;
}): OfferCard {
	const { root, texts, words } = deps;
	const own = offerTexts[deps.language];
	const dates = createDates(texts, (at, timeZone) => words.time(at, timeZone));
	const card = make('div', 'offer');
	card.setAttribute('role', 'status');
	const heading = make('h2');
	const lines = make('div');
	const accept = button('accept', own.accept, 'go');
	const decline = button('ask-decline', own.decline);
	const row = make('div', 'row');
	row.append(accept, decline);
	card.append(heading, lines, row);
	heading.textContent = own.heading;
	root.querySelector('[data-section="booked"] h1')!.after(card);
	let shown = '';

	const draw = ({ permit }: WaitState, offer: PermitOffer) => {
		const timeZone = permit?.timeZone;
		const { slot } = offer;
		const until = offer.until === null ? '' : momentOf(offer.until, timeZone);
		lines.replaceChildren(
			make('p', '', own[offer.why]),
			...(slot
				? [
						make('p', '', own.held),
						make('p', 'held', dates.gregorian(slot.startsAt, timeZone)),
						make('p', 'held', dates.hours(slot.startsAt, slot.endsAt, timeZone)),
						...(slot.place === permit?.place
							? []
							: [placeLine(slot.placeName?.[texts.placeNames] ?? slot.place)])
					]
				: [make('p', '', own.waiting)]),
			...(until ? [make('p', 'sub', fill(own[offer.unanswered], { time: until }))] : [])
		);
		accept.hidden = slot === null;
	};
	/** Time and day, for an answer may be due tomorrow. */
	const momentOf = (at: number, timeZone: string | undefined) =>
		`${words.time(at, timeZone)} · ${words.day(at, timeZone)}`;
	const placeLine = (name: string) => {
		const line = make('p', 'held', name);
		line.lang = texts.placeNames;
		return line;
	};

	return {
		question: own.question,
		paint(state) {
			const offer = state.permit?.offer ?? null;
			card.hidden = offer === null;
			for (const one of [accept, decline]) one.disabled = state.wanted !== null;
			const text = JSON.stringify(offer);
			if (offer === null || text === shown) return;
			shown = text;
			draw(state, offer);
		}
	};
}

function button(press: string, text: string, className = ''): HTMLButtonElement {
	const element = document.createElement('button');
	element.type = 'button';
	element.className = className;
	element.dataset['press'] = press;
	element.textContent = text;
	return element;
}

function make(tag: string, className = '', text = ''): HTMLElement {
	const element = document.createElement(tag);
	if (className) element.className = className;
	if (text) element.textContent = text;
	return element;
}
