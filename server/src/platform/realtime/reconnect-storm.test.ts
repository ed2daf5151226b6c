import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calmBeforeResetMs, createBackoff, reconnectDelayMs } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { createSocketDoor } from './socket-door.ts';

/** Numbers between 0 and 1, the same for the same seed. */
function seeded(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Moments with the client they belong to, the nearest first. */
function createAgenda() {
	const heap: { at: number; client: number }[] = [];
	const swap = (a: number, b: number) => ([heap[a], heap[b]] = [heap[b]!, heap[a]!]);
	return {
		add(at: number, client: number) {
			let place = heap.push({ at, client }) - 1;
			while (place > 0 && heap[(place - 1) >> 1]!.at > heap[place]!.at) {
				swap(place, (place - 1) >> 1);
				place = (place - 1) >> 1;
			}
		},
		next() {
			const first = heap[0];
			const last = heap.pop();
			if (heap.length === 0 || !first) return first;
			heap[0] = last!;
			for (let place = 0; ;) {
				const left = 2 * place + 1;
				if (left >= heap.length) return first;
				const least = left + 1 < heap.length && heap[left + 1]!.at < heap[left]!.at ? left + 1 : left;
				if (heap[place]!.at <= heap[least]!.at) return first;
				swap(place, least);
				place = least;
			}
		}
	};
}

/** How one client behaves: when it knocks again. */
interface Client {
	nameSpread(ms: number): void;
	succeeded(): void;
	failed(retryAfterSeconds: number | null): number;
}

interface StormRun {
	/** Each knock at the door, also in vain, ms after the cut, in order. */
	knocks: number[];
	/** When each client was in again. */
	back: number[];
}

const clients = 10_000;

/**
 * All clients lose the server in the same moment; it is away for so long, and then lets in who its real door lets in.
 * Virtual time.
 */
function runStorm(
	awayMs: number,
	seed: number,
	make: (now: () => number, random: () => number) => Client
): StormRun {
	let now = 0;
	const random = seeded(seed);
	const own = { ...limits.realtime, socketsMax: clients, socketsPerTenantMax: clients };
	const openDoor = () => createSocketDoor({ elapsedMs: () => now, random, limits: own });
	const before = openDoor();
	const all = Array.from({ length: clients }, () => make(() => now, random));
	for (let client = 0; client < clients; client++) before.sit({ tenant: 'all', kind: 'screen' });
	for (const client of all) {
		client.nameSpread(before.spreadMs());
		client.succeeded();
	}
	now = calmBeforeResetMs + 1;
	const cutAt = now;
	const agenda = createAgenda();
	all.forEach((client, index) => agenda.add(now + client.failed(null), index));
	const door = openDoor();
	const run: StormRun = { knocks: [], back: [] };
	for (let next = agenda.next(); next; next = agenda.next()) {
		now = next.at;
		const client = all[next.client]!;
		run.knocks.push(now - cutAt);
		if (now - cutAt < awayMs || !door.knock()) agenda.add(now + client.failed(null), next.client);
		else {
			const refusal = door.enter() ?? door.sit({ tenant: 'all', kind: 'screen' });
			if (refusal) agenda.add(now + client.failed(refusal.retryAfterSeconds), next.client);
			else run.back.push(now - cutAt);
		}
		if (run.knocks.length > 200 * clients) throw new Error('they never come back');
	}
	return run;
}

/** Most knocks in any one second, as a share of all clients. */
function peakShare(moments: readonly number[]): number {
	let first = 0;
	let most = 0;
	moments.forEach((at, index) => {
		while (at - moments[first]! >= 1_000) first++;
		most = Math.max(most, index - first + 1);
	});
	return most / clients;
}

/**
 * The strongest pulse: for each distance of 1 to 60 s, how alike the knocks of a tenth of a second are to those so much
 * later, once the slow swell is taken away. Noise stays near 0, a pulse every few seconds comes near 1.
 */
function strongestPulse(moments: readonly number[]): number {
	const cellMs = 100;
	const counts: number[] = Array.from({ length: Math.ceil(moments.at(-1)! / cellMs) + 1 }, () => 0);
	for (const at of moments) counts[Math.floor(at / cellMs)]! += 1;
	const half = 25;
	const rest = counts.map((count, index) => {
		const around = counts.slice(Math.max(0, index - half), index + half + 1);
		return count - around.reduce((a, b) => a + b, 0) / around.length;
	});
	const power = rest.reduce((sum, value) => sum + value * value, 0);
	let most = 0;
	for (let lag = 10; lag <= 600 && lag < rest.length / 3; lag++) {
		let alike = 0;
		for (let index = lag; index < rest.length; index++) alike += rest[index]! * rest[index - lag]!;
		most = Math.max(most, alike / power);
	}
	return most;
}

const ours = (now: () => number, random: () => number): Client => createBackoff({ now, random });
/** What the socket library does by itself: 1 s, doubled, half of it random, and cut to 5 s at the end. */
const library = (_now: () => number, random: () => number): Client => {
	let attempt = 0;
	return {
		nameSpread: () => undefined,
		succeeded: () => undefined,
		failed: () => Math.min(5_000, 1_000 * 2 ** attempt++ * (0.5 + random()))
	};
};

describe('10,000 clients whose server is gone in the same moment', () => {
	const away = [0, 3_000, 20_000, 60_000, 300_000];

	it.each(away)('never knock in step: away for %i ms', (awayMs) => {
		const { knocks, back } = runStorm(awayMs, 7 + awayMs, ours);
		expect(back).toHaveLength(clients);
		expect(peakShare(knocks)).toBeLessThanOrEqual(0.1);
		expect(strongestPulse(knocks)).toBeLessThan(0.2);
	});

	it('are let in no faster than the bucket allows, and are all back soon after the server is', () => {
		const awayMs = 20_000;
		const { back } = runStorm(awayMs, 11, ours);
		expect(peakShare(back) * clients).toBeLessThanOrEqual(
			limits.realtime.handshakesPerSecond + limits.realtime.handshakesBurst
		);
		expect(back.at(-1)! - awayMs).toBeLessThan(300_000);
	});

	it('would pulse with the back-off of the library: this test sees it', () => {
		const { knocks } = runStorm(60_000, 3, library);
		expect(peakShare(knocks)).toBeGreaterThan(0.15);
		expect(strongestPulse(knocks)).toBeGreaterThan(0.4);
	});

	it('also obey when they do not know the window, or come back to the second', () => {
		const punctual = (now: () => number, random: () => number): Client => {
			const own = createBackoff({ now, random });
			return {
				nameSpread: () => undefined,
				succeeded: own.succeeded,
				failed: (seconds) => (seconds === null ? own.failed() : seconds * 1_000)
			};
		};
		const { knocks, back } = runStorm(0, 5, punctual);
		expect(back).toHaveLength(clients);
		expect(peakShare(knocks)).toBeLessThanOrEqual(0.1);
	});
});

describe('one client', () => {
	it('waits inside its window, whatever happened before', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 100 }),
				fc.double({ min: 0, max: 0.999_999, noNaN: true }),
				fc.integer({ min: 1_000, max: 600_000 }),
				(attempt, random, windowMs) => {
					const delayMs = reconnectDelayMs(attempt, () => random, windowMs);
					expect(delayMs).toBeGreaterThanOrEqual(0);
					expect(delayMs).toBeLessThanOrEqual(Math.max(windowMs, 60_000));
					// Jitter comes after the cap: half of the chance is half of the window.
					expect(reconnectDelayMs(attempt, () => random / 2, windowMs)).toBeCloseTo(delayMs / 2, 6);
				}
			)
		);
	});

	it('begins anew only after a minute of calm', () => {
		fc.assert(
			fc.property(
				fc.array(fc.record({ worksMs: fc.integer({ min: 0, max: 120_000 }), fails: fc.boolean() }), {
					maxLength: 40
				}),
				(steps) => {
					let now = 0;
					const backoff = createBackoff({ now: () => now, random: () => 0.5 });
					let failures = 0;
					for (const { worksMs, fails } of steps) {
						if (!fails) {
							backoff.succeeded();
							now += worksMs;
							if (worksMs >= calmBeforeResetMs) failures = 0;
						}
						backoff.failed();
						failures += 1;
						expect(backoff.attempt()).toBe(failures);
					}
				}
			)
		);
	});

	it('never comes before the time it was told, and believes no senseless window', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 600 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				fc.anything(),
				(seconds, random, named) => {
					const backoff = createBackoff({ now: () => 0, random: () => random });
					backoff.nameSpread(named);
					expect(backoff.failed(seconds)).toBeGreaterThanOrEqual(seconds * 1_000);
					const delayMs = backoff.failed();
					expect(delayMs).toBeGreaterThanOrEqual(0);
					expect(delayMs).toBeLessThanOrEqual(600_000);
				}
			)
		);
	});
});
