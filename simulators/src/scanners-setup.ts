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

/** Names of scanners that a simulator made: an earlier run's are revoked by them. */
export const scannerNamePrefix = 'Simulated scanner';
const reason = 'simulated scanners';
const bookedAtOnce = 40;
const triesMax = 40;
const earlySeconds = 86_400;
/** The server's own default: what was left by a run that was killed is no setting of anybody. */
const usualEarlySeconds = 900;

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
	for (const place of places) await set(place, earlySeconds);
	return async () => {
		for (const { place, earlySeconds: before } of known.places)
			if (places.includes(place))
				await set(place, before === earlySeconds ? usualEarlySeconds : before).catch(() => undefined);
	};
}

/** Revokes what an earlier run left. */
export async function revokeSimulated(api: ScannersApi, cookie: string): Promise<void> {
	const { scanners } = must(await api.staff<{ scanners: Scanner[] }>('GET', '/api/v1/scanners', cookie));
	for (const { id, name, revokedAt } of scanners)
		if (revokedAt === null && name.startsWith(scannerNamePrefix))
			must(await api.staff('POST', `/api/v1/scanners/${id}/revoke`, cookie, { reason }));
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

/** Books so many people at a place and reads their permits, through the room like anybody. */
export async function bookHolders(
	server: URL,
	place: string,
	count: number,
	random: () => number
): Promise<Holder[]> {
	const api = createPeopleApi(server.origin);
	const run = Math.floor(random() * 2 ** 24).toString(36) + (drawSeed() % 1_296).toString(36);
	const waiting = Array.from({ length: count }, (_, at) => `gate-${run}-${at}`);
	const holders: Holder[] = [];
	const work = async () => {
		for (let user = waiting.pop(); user !== undefined; user = waiting.pop())
			holders.push(await bookOne(api, { user, place, party: 1 + Math.floor(random() * 4) }));
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
	{ user, place, party }: { user: string; place: string; party: number }
): Promise<Holder> {
	const who = { user, browserKey: null };
	for (let tries = 0; tries < triesMax; tries += 1) {
		const joined = await insist(() => api.join(who, party));
		const token = tokenOf(joined) ?? (await claim(api, user, joined));
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
	throw new SimulatorError(`${user} found no place at ${place}`);
}

/** The soonest slot there that the party fits into: its window is the nearest to now. */
function findSlot({ slots }: SlotsAnswer, place: string, party: number): number {
	const [soonest] = slots
		.filter((slot) => slot.place === place && !slot.full && (slot.left ?? party) >= party)
		.sort((a, b) => a.startsAt - b.startsAt);
	if (!soonest) throw new SimulatorError(`everything at ${place} is booked`);
	return soonest.id;
}

const tokenOf = (joined: JoinReply): string | null => (joined.admitted ? joined.token : null);

async function claim(api: PeopleApi, user: string, joined: JoinReply): Promise<string> {
	const who = { user, browserKey: null };
	for (let tries = 0; tries < triesMax; tries += 1) {
		const claimed = await api.claim(who, joined.ticket);
		if (claimed.ok) return claimed.body.token;
		await pause(claimed);
	}
	throw new SimulatorError('the turn of somebody with a permit to book does not come');
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
	new Promise((resolve) =>
		setTimeout(resolve, answer.remainingMs ?? (answer.retryAfterSeconds ?? 0.2) * 1_000 + Math.random() * 100)
	);

/** @throws SimulatorError for a refusal that a simulator cannot go on after */
export function must<T>(answer: ScannerAnswer<T>): T {
	if (answer.ok) return answer.body;
	throw new SimulatorError(`the server refused what simulated scanners need: ${answer.code}`);
}
