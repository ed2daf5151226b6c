import type { PublicSettings } from '@marsad/server/contract';
import { createAnnouncer } from './announcer.ts';
import { call, type Answer } from './calls.ts';
import type { Later, LivingPage } from './later.ts';
import { press, settle } from './machine.ts';
import { createPainter } from './paint.ts';
import { parts, type Parts } from './parts.ts';
import { createPlaceKeeper } from './place.ts';
import { firstState, type Action, type Context, type WaitState, type Wanted } from './state.ts';
import { failureName, tokenName, type PersonToken } from './token.ts';
import type { LiveTexts } from './texts/texts.ts';
import { createView } from './view.ts';
import { createWords } from './words.ts';

const root = document.querySelector<HTMLElement>('[data-wait]')!;
const { wait: language, texts: textsJson } = root.dataset;
const texts = JSON.parse(textsJson!) as LiveTexts;
const dialog = root.querySelector('dialog')!;
const keeper = createPlaceKeeper(
	location.search,
	storageOrNone(() => localStorage),
	newKey
);
const tabStorage = storageOrNone(() => sessionStorage);
const words = createWords(texts);
const view = createView(texts, words, keeper.refused);
const announcer = createAnnouncer();
const painter = createPainter(root);

const comeBackWithinMs = 3_000;
let state: WaitState;
let settings: PublicSettings | null = null;
let later: Later | null = null;
let laterPart: Promise<NonNullable<Parts['later']>> | null = null;
let busy = false;

/** Somewhere to keep things, or a thing that refuses everything: the keeper then uses its memory. */
function storageOrNone(open: () => Storage): Storage {
	try {
		return open();
	} catch {
		return {} as Storage;
	}
}

function tokenOf(now: number): string | undefined {
	const kept = JSON.parse(read(tokenName) ?? 'null') as PersonToken | null;
	return kept && kept.until > now ? kept.token : undefined;
}

/** What the tab keeps of a sign-in; nothing where it keeps nothing, for then nobody comes back from one. */
function read(name: string): string | null {
	try {
		return tabStorage.getItem(name);
	} catch {
		return null;
	}
}

/** Whether there was something to forget. */
function forget(name: string): boolean {
	const had = read(name) !== null;
	if (had) tabStorage.removeItem(name);
	return had;
}

function newKey(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(18));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function context(): Context {
	return {
		now: Date.now(),
		random: Math.random,
		settleBooking: (before, ...rest) => parts().later?.settleBooking(before, ...rest) ?? before
	};
}

function become(next: WaitState): void {
	const { place, ready } = state;
	state = next;
	if (state.place !== place) keeper.save(state.place);
	if (state.ready !== ready) keeper.saveReady(state.ready);
	if (state.section === 'booked' && !keeper.hasPermit()) keeper.setPermit(true);
	if (state.section === 'start' && keeper.hasPermit()) keeper.setPermit(false);
	show();
}

function show(): void {
	const now = Date.now();
	const seen = view(state, now);
	root.dataset['off'] = `${state.progress?.off}`;
	painter.paint(seen, later?.texts(state, now) ?? {});
	later?.paint(state, now);
	const said = announcer.next(seen.moment, seen.announcement, now);
	if (said !== null) painter.announce(said);
}

/** A script that a later step needs; a new address after each failure, for browsers that remember one. */
let failures = 0;
async function load<Name extends keyof Parts>(name: Name): Promise<NonNullable<Parts[Name]>> {
	try {
		await import(/* @vite-ignore */ `${root.dataset[name]}${failures ? `?${failures}` : ''}`);
	} catch (error) {
		failures++;
		throw error;
	}
	return parts()[name]!;
}

/** What is needed once a turn is near. */
function loadLater(): Promise<NonNullable<Parts['later']>> {
	laterPart ??= load('later').then(
		(part) => {
			later = part.createLater({ root, texts, words, page });
			show();
			return part;
		},
		(error: unknown) => {
			laterPart = null;
			throw error;
		}
	);
	return laterPart;
}

function pressed(action: Wanted['action'], more: { party?: number; slot?: number } = {}): void {
	const party = more.party ?? state.place?.party ?? 1;
	become(press(state, { action, party, slot: more.slot ?? 0, key: newKey() }, context()));
	void step();
}

/** Who asks: the account where it is known, and the browser's key for a place without one. */
function identity(nameless: boolean) {
	const demo = state.identity === 'demo';
	const token = demo || nameless ? undefined : (tokenOf(Date.now()) ?? state.ready?.token);
	return {
		user: demo ? { user: keeper.user } : {},
		headers: {
			...(token ? { authorization: `Bearer ${token}` } : {}),
			'x-browser-key': keeper.browserKey
		}
	};
}

function ask(action: Action): Promise<Answer> {
	const { place, wanted } = state;
	// A preparation stands for its own party.
	const party = state.ready?.party ?? wanted?.party ?? 1;
	const ticket = place?.ticket ?? '';
	// A place without an account is the browser's until it is claimed.
	const asker = identity((action === 'status' || action === 'leave') && !place?.account);
	const { user, headers } = asker;
	switch (action) {
		case 'settings':
		case 'progress':
			return call(`/queue/${action}`, {});
		case 'join':
			// Counted by language, unless a level has that switched off: then the server does not look at it.
			return call('/queue/join', {}, { ...user, party, language }, headers);
		case 'prepare':
			return call('/queue/prepare', {}, { ...user, party, language: language! }, headers);
		case 'status':
			return call('/queue/status', { ticket, ...user }, undefined, headers);
		case 'leave':
			return call('/queue/leave', {}, { ...user, ticket }, headers);
		default:
			return loadLater().then(
				(part) => part.callBooking(action, state, asker, call),
				() => ({ status: 0, body: null, retryAfterMs: null })
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
			if (next.action === 'settings' && answer.status === 200) settings = answer.body as PublicSettings;
			become(settle(state, next.action, answer, context()));
			if (answer.status === 401) forget(tokenName);
		}
	} finally {
		busy = false;
	}
}

function beat(): void {
	state = parts().later?.tick(state, context()) ?? state;
	// Early, while nothing is urgent; should it not come, it is asked for again when it is needed.
	if (!later && state.place && !failures) void loadLater().catch(() => undefined);
	show();
	void step();
}

/** What the later script needs of this page. */
const page: LivingPage = {
	state: () => state,
	become(next) {
		become(next);
		void step();
	},
	pressed,
	context,
	hasPermit: keeper.hasPermit
};

async function signIn(): Promise<void> {
	try {
		const { beginSignIn } = await load('signIn');
		if (settings?.signIn) await beginSignIn(settings.signIn, language!);
	} catch {
		become({ ...state, notice: 'sign-in-failed' });
	}
}

function signOut(): void {
	forget(tokenName);
	keeper.setPermit(false);
	page.become({ ...firstState(state.place, false, Date.now()), section: state.section });
}

root.addEventListener('click', (event) => {
	const button = (event.target as Element).closest<HTMLElement>('button[data-press]');
	if (!button) return;
	const { press: name, forSlot } = button.dataset;
	if (name === 'sign-in') void signIn();
	else if (name === 'sign-out') signOut();
	else if (/-|print/.test(name!)) void loadLater().then(() => later!.press(name!));
	else {
		dialog.close();
		const party = Number(button.closest('section')?.querySelector('select')?.value);
		pressed(name as Wanted['action'], {
			...(party ? { party } : {}),
			...(forSlot ? { slot: Number(forSlot) } : {})
		});
	}
});
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

async function start(): Promise<void> {
	if (/[?&]state=/.test(location.search)) {
		// Back from the issuer: the address becomes again what it was.
		const gone = await load('signIn').then(({ finishSignIn }) => finishSignIn(tabStorage));
		if (gone) return;
	}
	const now = Date.now();
	const known = { signedIn: Boolean(tokenOf(now)), ready: keeper.loadReady(now) };
	const lookForPermit = keeper.given || known.signedIn || keeper.hasPermit();
	state = firstState(keeper.load(), lookForPermit, now, known);
	if (forget(failureName)) state.notice = 'sign-in-failed';
	for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-keep-query]')) {
		link.href = link.pathname + location.search + location.hash;
	}
	setInterval(beat, 1_000);
	beat();
}

void start();
