import { setTimeout as sleep } from 'node:timers/promises';
import type {
	JoinReply,
	Permit,
	PlaceEntrySettings,
	Scanner,
	SiteFile,
	Slot,
	SlotsAnswer
} from '@marsad/server/contract';
import { drawSeed } from './chance.ts';
import { createPeopleApi, type Answer, type PeopleApi } from './people-api.ts';
import type { ScannerAnswer, ScannersApi } from './scanners-api.ts';
import { SimulatorError } from './session.ts';

/** Somebody who has a permit. */
export interface Holder {
	user: string;
	permit: string;
	text: string;
	party: number;
}

/** An entrance, and the place that it leads to. */
export interface Entrance {
	gate: string;
	place: string;
}

const scannerNamePrefix = 'Simulated scanner';
const reason = 'simulated scanners';
const bookedAtOnce = 40;
/** The server does not answer as it should: so often it is asked again. */
const triesMax = 40;
/** Somebody waits for their turn, or for places, so long: a demo in its spike calls a few hundred people a minute. */
const bookingWaitMs = 600_000;
const earlySeconds = 86_400;

/** The administrator of the demo, whose password the environment names. @throws SimulatorError when it is not right */
export async function signInAsAdmin(api: ScannersApi, password: string): Promise<string> {
	const answer = await api.signIn('admin@example.org', password);
	if (answer.ok) return answer.body;
	throw new SimulatorError(
		answer.lost
			? 'no server answers: start it, or name it with --server'
			: `the administrator was refused (${answer.code}): DEMO_PASSWORD names the password that the demo shows`
	);
}

/** Entrances of places that slots are booked at. @throws SimulatorError without any */
export function listEntrances({ features }: SiteFile, slots: readonly Slot[]): Entrance[] {
	const booked = new Set(slots.map(({ place }) => place));
	const inwards = new Set(
		features.flatMap(({ properties }) =>
			properties.kind === 'gate' && properties.direction === 'in' ? [properties.id] : []
		)
	);
	const entrances = features.flatMap(({ properties }) =>
		properties.kind === 'place' && booked.has(properties.id)
			? properties.gates.filter((gate) => inwards.has(gate)).map((gate) => ({ gate, place: properties.id }))
			: []
	);
	if (entrances.length === 0)
		throw new SimulatorError('no slot leads through an entrance of this site: start the server with DEMO=1');
	return entrances;
}

/** Lets permits of today in at any hour. @returns sets the grace of these places back */
export async function openEarly(
	api: ScannersApi,
	cookie: string,
	places: readonly string[]
): Promise<() => Promise<void>> {
	const known = must(
		await api.staff<{ places: PlaceEntrySettings[] }>('GET', '/api/v1/entries/places', cookie)
	);
	const set = async (place: string, seconds: number) =>
		void must(
			await api.staff('PUT', `/api/v1/entries/places/${encodeURIComponent(place)}`, cookie, {
				...{ earlySeconds: seconds, reason }
			})
		);
	// A grace that is as wide already is somebody else's, and stays.
	const narrow = known.places.filter(
		({ place, earlySeconds: before }) => places.includes(place) && before < earlySeconds
	);
	for (const { place } of narrow) await set(place, earlySeconds);
	return async () => {
		for (const { place, earlySeconds: before } of narrow) await set(place, before).catch(() => undefined);
	};
}

/** Revokes scanners that a run made itself: others may be in use beside it. Each is tried, whatever comes of another. */
export async function revokeScanners(
	api: ScannersApi,
	cookie: string,
	ids: readonly string[]
): Promise<void> {
	const answers: ScannerAnswer<unknown>[] = [];
	for (const id of ids)
		answers.push(await api.staff('POST', `/api/v1/scanners/${id}/revoke`, cookie, { reason }));
	answers.forEach(must);
}

/** @returns its id and token, which is told this once */
export async function makeScanner(
	api: ScannersApi,
	cookie: string,
	gate: string,
	label: string
): Promise<{ id: string; token: string }> {
	const body = { name: `${scannerNamePrefix} ${label}`, gate, reason };
	const { scanner, token } = must(
		await api.staff<{ scanner: Scanner; token: string | null }>('POST', '/api/v1/scanners', cookie, body)
	);
	if (token === null) throw new SimulatorError('the server made a scanner and kept its token');
	return { id: scanner.id, token };
}

/**
 * Books so many people at a place and reads their permits, through the room like anybody: each waits for the turn, up to
 * `waitMsMax`, and asks when the room said to.
 * @throws SimulatorError when somebody's turn does not come in that time, or everything is booked
 */
export async function bookHolders(
	server: URL,
	place: string,
	count: number,
	random: () => number,
	{ waitMsMax = bookingWaitMs, signal }: { waitMsMax?: number; signal?: AbortSignal } = {}
): Promise<Holder[]> {
	const api = createPeopleApi(server.origin);
	const run = Math.floor(random() * 2 ** 24).toString(36) + (drawSeed() % 1_296).toString(36);
	const waiting = Array.from({ length: count }, (_, at) => `gate-${run}-${at}`);
	const holders: Holder[] = [];
	const work = async () => {
		for (let user = waiting.pop(); user !== undefined; user = waiting.pop())
			holders.push(
				await bookOne(
					api,
					{ user, place, party: 1 + Math.floor(random() * 4) },
					isLateAfter(waitMsMax, signal)
				)
			);
	};
	try {
		await Promise.all(Array.from({ length: Math.min(count, bookedAtOnce) }, work));
	} finally {
		await api.close();
	}
	return holders;
}

async function bookOne(
	api: PeopleApi,
	{ user, place, party }: { user: string; place: string; party: number },
	isLate: () => boolean
): Promise<Holder> {
	const who = { user, browserKey: null };
	while (!isLate()) {
		const joined = await insist(() => api.join(who, party));
		const token = joined.admitted ? joined.token : await waitForPass(api, user, joined, isLate);
		if (token === null) continue;
		const slot = findSlot(await insist(() => api.slots()), place, party);
		const booked = await api.book(user, token, slot);
		if (booked.ok) {
			const path = `/permits/mine?user=${encodeURIComponent(user)}`;
			const mine = await insist(
				() => api.raw({ name: 'permit', method: 'GET', path }) as Promise<Answer<Permit>>
			);
			if (mine.text === undefined) throw new SimulatorError('the server signs no permits');
			return { user, permit: mine.id, text: mine.text, party: mine.party };
		}
		await pause(booked);
	}
	throw new SimulatorError(`${user} got no place at ${place} in time`);
}

/** The soonest slot there that the party fits into: its window is the nearest to now. */
function findSlot({ slots }: SlotsAnswer, place: string, party: number): number {
	const [soonest] = slots
		.filter((slot) => slot.place === place && !slot.full && (slot.left ?? party) >= party)
		.sort((a, b) => a.startsAt - b.startsAt);
	if (!soonest) throw new SimulatorError(`everything at ${place} is booked`);
	return soonest.id;
}

/** Waits for the turn as the room says, and takes the pass. @returns null when the place is gone: one joins anew */
async function waitForPass(
	api: PeopleApi,
	user: string,
	joined: Exclude<JoinReply, { admitted: true }>,
	isLate: () => boolean
): Promise<string | null> {
	const who = { user, browserKey: null };
	let { ticket, pollAfterMs } = joined;
	while (!isLate()) {
		await sleep(pollAfterMs);
		const seen = await api.status(who, ticket);
		if (seen.ok) {
			pollAfterMs = seen.body.pollAfterMs;
			if ('ticket' in seen.body) ticket = seen.body.ticket ?? ticket;
			if (!seen.body.admitted) continue;
			const claimed = await api.claim(who, ticket);
			if (claimed.ok) return claimed.body.token;
			if (isGone(claimed)) return null;
			await pause(claimed);
		} else if (isGone(seen)) return null;
		else await pause(seen);
	}
	return null;
}

/** The turn was missed, or the room was started anew. A refusal for a while says when to ask again. */
const isGone = ({ status, retryAfterSeconds }: Exclude<Answer<unknown>, { ok: true }>) =>
	status >= 400 && status < 500 && status !== 429 && retryAfterSeconds === null;

/** @returns whether this long has passed since now, or the run was ended */
function isLateAfter(ms: number, signal: AbortSignal | undefined): () => boolean {
	const startedMs = performance.now();
	return () => signal?.aborted === true || performance.now() - startedMs >= ms;
}

async function insist<T>(ask: () => Promise<Answer<T>>): Promise<T> {
	for (let tries = 0; ; tries += 1) {
		const answer = await ask();
		if (answer.ok) return answer.body;
		if (tries >= triesMax) throw new SimulatorError(`the server answers ${answer.status} again and again`);
		await pause(answer);
	}
}

const pause = (answer: Exclude<Answer<unknown>, { ok: true }>) =>
	sleep(answer.remainingMs ?? (answer.retryAfterSeconds ?? 0.2) * 1_000 + Math.random() * 100);

/** @throws SimulatorError for a refusal that a simulator cannot go on after */
export function must<T>(answer: ScannerAnswer<T>): T {
	if (answer.ok) return answer.body;
	throw new SimulatorError(`the server refused what simulated scanners need: ${answer.code}`);
}
