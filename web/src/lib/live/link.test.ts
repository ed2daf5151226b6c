import { linkDeadAfterMs, type SubscribeAck } from '@marsad/server/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLink, type LinkState } from './link.ts';
import type { TopicCopy } from './topic-state.ts';

const bar = {
	level: 1,
	levelName: { ar: 'م', en: 'm' },
	dataAt: 1,
	mark: 'none',
	build: 'b',
	site: { ar: 's', en: 's' },
	timeZone: 'Asia/Riyadh'
};

function createBench() {
	let time = 1_000_000;
	const timers = new Set<{ at: number; action: () => void }>();
	const listeners = new Map<string, (...args: unknown[]) => void>();
	const emitted: [string, string, (answer: SubscribeAck) => void][] = [];
	const states: LinkState[] = [];
	let copies: ReadonlyMap<string, TopicCopy> = new Map();
	let connects = 0;
	let dropped = 0;
	const link = createLink({
		socket: {
			on: (event, listener) => listeners.set(event, listener as (...args: unknown[]) => void),
			emit: (event, topic, ack) => emitted.push([event, topic, ack]),
			connect: () => (connects += 1),
			disconnect: () => {}
		},
		now: () => time,
		random: () => 0.5,
		setTimer(action, ms) {
			const timer = { at: time + ms, action };
			timers.add(timer);
			return () => timers.delete(timer);
		},
		onState: (state) => states.push(state),
		onCopies: (next) => (copies = next),
		onOffset: () => {},
		onHeard: () => {},
		onDropped: (count) => (dropped += count)
	});
	return {
		link,
		states,
		emitted,
		fire: (event: string, ...args: unknown[]) => listeners.get(event)!(...args),
		advance(ms: number) {
			const end = time + ms;
			for (;;) {
				const next = [...timers].filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0];
				if (!next) break;
				timers.delete(next);
				time = Math.max(time, next.at);
				next.action();
			}
			time = end;
		},
		get last() {
			return states.at(-1)!;
		},
		get connects() {
			return connects;
		},
		get copies() {
			return copies;
		},
		get dropped() {
			return dropped;
		},
		get time() {
			return time;
		}
	};
}

const snapshot = (seq = 1, stream = 's1', state: object = { bar }) => ({
	topic: 'overview',
	stream,
	seq,
	at: 1,
	state
});
const patch = (seq: number, changes: object, stream = 's1') => ({
	topic: 'overview',
	stream,
	seq,
	at: 2,
	changes
});

describe('the live link', () => {
	let bench: ReturnType<typeof createBench>;
	beforeEach(() => {
		bench = createBench();
		bench.link.want(['overview']);
		bench.link.start();
	});
	const goLive = () => {
		bench.fire('connect');
		bench.fire('snapshot', snapshot());
	};

	test('is live only when a fresh state is here, not when the socket opens', () => {
		bench.fire('connect');
		expect(bench.last.kind).toBe('connecting');
		expect(bench.emitted.map(([event, topic]) => [event, topic])).toEqual([['subscribe', 'overview']]);
		bench.fire('snapshot', snapshot());
		expect(bench.last.kind).toBe('live');
	});

	test('says within 15 s that a silent link is dead, dated from the last sign of life', () => {
		goLive();
		const heardAt = bench.time;
		bench.advance(linkDeadAfterMs);
		expect(bench.last).toMatchObject({ kind: 'lost', since: heardAt });
	});

	test('stays live on heartbeats alone', () => {
		goLive();
		for (let i = 0; i < 10; i += 1) {
			bench.advance(5_000);
			bench.fire('heartbeat', { at: 5 });
		}
		expect(bench.last.kind).toBe('live');
	});

	test('comes back by itself after a random time, and keeps what it knew until the new state is here', () => {
		goLive();
		bench.fire('disconnect');
		expect(bench.last.kind).toBe('lost');
		bench.advance(14_999);
		expect(bench.connects).toBe(1);
		bench.advance(2);
		expect(bench.connects).toBe(2);
		expect(bench.copies.get('overview')?.values.get('bar')).toEqual(bar);
		goLive();
		expect(bench.last.kind).toBe('live');
	});

	test('keeps trying when the server is away, without ever stopping', () => {
		for (let i = 0; i < 20; i += 1) {
			bench.fire('connect_error', {});
			expect(bench.last.kind).toBe('lost');
			bench.advance(60_000);
		}
		expect(bench.connects).toBeGreaterThanOrEqual(20);
	});

	test('comes back inside the window that the server named', () => {
		goLive();
		bench.fire('heartbeat', { at: 5, reconnectSpreadMs: 120_000 });
		bench.fire('disconnect');
		expect(bench.last).toMatchObject({ kind: 'lost', retryAt: bench.time + 60_000 });
	});

	test('waits as long as a refusal asks, and up to half of it more, also when the network says it is back', () => {
		bench.fire('connect_error', { data: { code: 'busy', reason: 'handshakes', retryAfterSeconds: 40 } });
		const retryAt = bench.time + 50_000;
		expect(bench.last).toMatchObject({ kind: 'lost', retryAt });
		bench.link.networkBack();
		expect(bench.last).toMatchObject({ kind: 'lost', retryAt });
	});

	test('does not dial at once when a network comes back, for it comes back for everybody', () => {
		for (let i = 0; i < 8; i += 1) {
			bench.fire('connect_error', {});
			bench.advance(30_000);
		}
		bench.fire('connect_error', {});
		const before = bench.connects;
		expect(bench.last).toMatchObject({ retryAt: bench.time + 30_000 });
		bench.advance(1_000);
		bench.link.networkBack();
		expect(bench.connects).toBe(before);
		expect(bench.last).toMatchObject({ retryAt: bench.time + 15_000 });
	});

	test('dials in the window that the server named for a network that was away: at once where there are few', () => {
		goLive();
		bench.fire('heartbeat', { at: 5, networkSpreadMs: 100 });
		bench.advance(linkDeadAfterMs);
		expect(bench.last).toMatchObject({ kind: 'lost', retryAt: bench.time + 15_000 });
		bench.link.networkBack();
		expect(bench.last).toMatchObject({ kind: 'lost', retryAt: bench.time + 50 });
		bench.advance(50);
		expect(bench.connects).toBe(2);
		// A server with thousands of them says so, and that window is as wide as the other.
		goLive();
		bench.fire('heartbeat', { at: 5, networkSpreadMs: 31_250 });
		bench.fire('disconnect');
		bench.link.networkBack();
		expect(bench.last).toMatchObject({ kind: 'lost', retryAt: bench.time + 15_000 });
	});

	test('lets go of a connection that has missed a beat when the network is back, and of no other', () => {
		goLive();
		bench.fire('heartbeat', { at: 5, networkSpreadMs: 100 });
		bench.advance(7_000);
		bench.link.networkBack();
		expect(bench.last.kind).toBe('live');
		bench.advance(1_000);
		bench.link.networkBack();
		expect(bench.last).toMatchObject({ kind: 'lost', retryAt: bench.time + 50 });
	});

	test('forgets its failures after a minute of calm, and not for a link that held some seconds', () => {
		for (let i = 0; i < 7; i += 1) {
			bench.fire('connect_error', {});
			bench.advance(60_000);
		}
		goLive();
		bench.fire('disconnect');
		expect(bench.last).toMatchObject({ retryAt: bench.time + 30_000 });
		bench.advance(30_000);
		goLive();
		for (let i = 0; i < 12; i += 1) {
			bench.advance(5_000);
			bench.fire('heartbeat', { at: 5 });
		}
		bench.fire('disconnect');
		expect(bench.last).toMatchObject({ retryAt: bench.time + 15_000 });
	});

	test('stops when the session is gone', () => {
		bench.fire('connect_error', { data: { code: 'not_signed_in' } });
		expect(bench.last).toEqual({ kind: 'refused', code: 'not_signed_in' });
		bench.advance(300_000);
		expect(bench.connects).toBe(1);
	});

	test('a gap in the sequence, or another stream, asks again and applies nothing', () => {
		goLive();
		bench.advance(3_000);
		bench.fire('patch', patch(3, { bar: { ...bar, level: 4 } }));
		expect((bench.copies.get('overview')!.values.get('bar') as typeof bar).level).toBe(1);
		expect(bench.emitted).toHaveLength(2);
		bench.advance(3_000);
		bench.fire('patch', patch(2, { bar: { ...bar, level: 4 } }, 's2'));
		expect(bench.emitted).toHaveLength(3);
		bench.fire('patch', patch(2, { bar: { ...bar, level: 2 } }));
		expect((bench.copies.get('overview')!.values.get('bar') as typeof bar).level).toBe(2);
	});

	test('a flood of gaps asks at most once in two seconds', () => {
		goLive();
		bench.advance(3_000);
		for (let seq = 10; seq < 500; seq += 2) bench.fire('patch', patch(seq, {}));
		expect(bench.emitted).toHaveLength(2);
	});

	test('malformed values never reach the screen', () => {
		goLive();
		bench.fire('patch', patch(2, { bar: { ...bar, level: 'two' } }));
		expect((bench.copies.get('overview')!.values.get('bar') as typeof bar).level).toBe(1);
		bench.fire('patch', 'nonsense');
		bench.fire('snapshot', { topic: 'overview' });
		expect(bench.dropped).toBe(3);
	});

	test('a hidden tab holds no connection and is back at once', () => {
		goLive();
		bench.link.rest();
		bench.advance(600_000);
		expect(bench.connects).toBe(1);
		bench.link.start();
		expect(bench.connects).toBe(2);
		goLive();
		expect(bench.last.kind).toBe('live');
	});
});
