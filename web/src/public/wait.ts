import { createAnnouncer } from './announcer.ts';
import { call, type Answer } from './calls.ts';
import { press, settle, tick } from './machine.ts';
import { createPainter } from './paint.ts';
import { createPlaceKeeper } from './place.ts';
import { firstState, type Action, type WaitState, type Wanted } from './state.ts';
import type { LiveTexts } from './texts/texts.ts';
import { createView } from './view.ts';
import { createWords } from './words.ts';

const root = document.querySelector<HTMLElement>('[data-wait]')!;
const language = root.dataset.wait === 'ar' ? 'ar' : 'en';
const texts = JSON.parse(root.dataset.texts!) as LiveTexts;
const keeper = createPlaceKeeper(location.search, localStorageOrNone(), newKey);
const view = createView(texts, createWords(texts), language);
const announcer = createAnnouncer();
const painter = createPainter(root, (slot) => pressed('book', { slot }));

const comeBackWithinMs = 3_000;
let state: WaitState = firstState(keeper.load(), keeper.given || keeper.hasPermit(), Date.now());
let busy = false;

/** Somewhere to keep things, or a thing that refuses everything: the keeper then uses its memory. */
function localStorageOrNone(): Storage {
	try {
		return localStorage;
	} catch {
		return {} as Storage;
	}
}

function newKey(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return `web-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function context() {
	return { now: Date.now(), random: Math.random };
}

function become(next: WaitState): void {
	const place = state.place;
	state = next;
	if (state.place !== place) keeper.save(state.place);
	if (state.section === 'booked' && !keeper.hasPermit()) keeper.setPermit(true);
	if (state.section === 'start' && keeper.hasPermit()) keeper.setPermit(false);
	show();
}

function show(): void {
	const now = Date.now();
	const seen = view(state, now);
	painter.paint(seen);
	const said = announcer.next(state.section, seen.announcement, now);
	if (said !== null) painter.announce(said);
}

function pressed(action: Wanted['action'], more: { party?: number; slot?: number } = {}): void {
	const party = more.party ?? state.place?.party ?? 1;
	become(press(state, { action, party, slot: more.slot ?? 0, key: newKey() }, context()));
	void step();
}

function ask(action: Action): Promise<Answer> {
	const { user } = keeper;
	const { place, wanted, permit } = state;
	const ticket = place?.ticket ?? '';
	switch (action) {
		case 'progress':
			return call('/queue/progress', {});
		case 'slots':
			return call('/slots', {});
		case 'join':
			return call('/queue/join', {}, { user, party: wanted?.party ?? 1 });
		case 'status':
			return call('/queue/status', { ticket, user });
		case 'claim':
			return call('/queue/claim', {}, { user, ticket });
		case 'permit':
			return call('/permits/mine', { user });
		case 'cancel':
			return call(`/permits/${encodeURIComponent(permit?.id ?? '')}/cancel`, {}, { user });
		case 'book':
			return call(
				'/book',
				{},
				{ user, slot: wanted?.slot ?? 0, party: wanted?.party ?? 1, gated: 1 },
				{ 'x-token': place?.pass?.token ?? '', 'idempotency-key': wanted?.key ?? '' }
			);
	}
}

/** Does what is due, one call at a time. */
async function step(): Promise<void> {
	if (busy) return;
	busy = true;
	try {
		for (;;) {
			const { next } = state;
			if (!next || next.at > Date.now()) break;
			const answer = await ask(next.action);
			become(settle(state, next.action, answer, context()));
		}
	} finally {
		busy = false;
	}
}

function beat(): void {
	state = tick(state, context());
	show();
	void step();
}

for (const button of root.querySelectorAll<HTMLElement>('button[data-press]')) {
	button.addEventListener('click', () => {
		const action = button.dataset.press as Wanted['action'] | 'print' | 'ask-cancel';
		const dialog = root.querySelector<HTMLDialogElement>('dialog')!;
		if (action === 'print') print();
		else if (action === 'ask-cancel') dialog.showModal();
		else {
			dialog.close();
			const select = button.closest('section')?.querySelector('select');
			pressed(action, select ? { party: Number(select.value) } : {});
		}
	});
}
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-keep-query]'))
	link.search = location.search;
document.addEventListener('visibilitychange', () => {
	if (!document.hidden) beat();
});
addEventListener('online', () => {
	// Soon, but not all in the same second: a whole neighbourhood comes back at once.
	if (state.failures > 0 && state.next) {
		const soon = Date.now() + Math.random() * comeBackWithinMs;
		become({ ...state, next: { ...state.next, at: Math.min(state.next.at, soon) } });
	}
});
setInterval(beat, 1_000);
beat();
