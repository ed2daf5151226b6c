// Payloads and patches are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CounterProperties, RejectReason } from '../../../contract/index.ts';
import { frigate } from './adapters/frigate.ts';
import { own } from './adapters/own.ts';
import { newDevice, takeReading, type Device, type Taken } from './device.ts';
import { oneCounter, valueOf } from './device.fixture.ts';
import { newReading, type Message, type Reading } from './reading.ts';
import { decodeText, parseCount, parseJson } from './strict-parse.ts';

/**
 * Real payloads of vendors and the multi-message cases derived from public reports. They stand beside the repository,
 * not in it: where they are missing, the tests of our own fixtures say the same.
 */
const folder = fileURLToPath(new URL('../../../../../shared/samples/', import.meta.url));
const isThere = existsSync(folder);
const read = (file: string) => readFileSync(folder + file);

interface Expected {
	file: string;
	topic: string;
	expect: { kind: string; reason?: string; value?: number; state?: string }[];
}
interface Scenario {
	name: string;
	messages: { receivedAt: string; payload: any; topic?: string; retain?: boolean }[];
	expect: Record<string, any>;
}
const expected: Expected[] = isThere ? JSON.parse(read('expected.json').toString()) : [];
const scenarios = new Map<string, Scenario>(
	isThere
		? (JSON.parse(read('scenarios.json').toString()) as Scenario[]).map((scenario) => [
				scenario.name,
				scenario
			])
		: []
);
const source = { device: 'frigate', decoder: null, counters: [] };
const arrival = { receivedAt: Date.UTC(2026, 2, 1), retained: false };

/** Our words for the reasons that the samples use. */
const reasons: Record<string, RejectReason> = {
	'invalid-json': 'bad_json',
	'invalid-utf8': 'bad_utf8',
	'not-a-number': 'bad_number',
	'not-an-integer': 'bad_number',
	'out-of-range': 'bad_number'
};

describe.runIf(isThere)('payloads of Frigate', () => {
	const counts = expected.filter(
		({ file, topic }) => /^frigate\/[^/]+\/person$/.test(topic) && !/^any/.test(file)
	);
	it.each(counts.map((row) => [row.file, row] as const))('%s', (_, row) => {
		const [message] = frigate.parse(row.topic, read(row.file), arrival, source);
		const [wanted] = row.expect;
		if (wanted?.kind === 'reject')
			expect(message).toMatchObject({ kind: 'refused', reason: reasons[wanted.reason ?? ''] });
		else
			expect(message).toMatchObject({
				kind: 'reading',
				reading: { value: { kind: 'present', people: wanted?.value } }
			});
	});

	const states = expected.filter(({ topic }) => topic === 'frigate/available');
	it.each(states.map((row) => [row.file, row] as const))('%s', (_, row) => {
		expect(frigate.parse(row.topic, read(row.file), arrival, source)).toMatchObject([
			{ kind: 'state', online: row.expect[0]?.state === 'online' }
		]);
	});

	it('events and other series are none of our business', () => {
		const others = expected.filter(
			({ file, topic }) => /frigate-(events|zone-all)/.test(file) && topic.startsWith('frigate/')
		);
		expect(others.length).toBeGreaterThan(1);
		for (const { file, topic } of others)
			expect(frigate.parse(topic, read(file), arrival, source)).toEqual([]);
	});
});

describe.runIf(isThere)('hostile payloads and texts on a number', () => {
	/** The samples use several names for a number of people; the own format has one. */
	const asOwn = (value: unknown): Message | undefined => {
		const { people, occupancy, ...rest } = value as Record<string, unknown>;
		const present = people ?? occupancy;
		return own.parse(
			'marsad/x/y/reading',
			Buffer.from(JSON.stringify({ ts: 1, ...rest, ...(present === undefined ? {} : { present }) })),
			arrival,
			source
		)[0];
	};
	const rows = expected.filter(({ file }) => /payloads\/hostile-.*\.(json|bin)$/.test(file));
	it.each(rows.map((row) => [row.file, row] as const))('%s', (file, row) => {
		const [wanted] = row.expect;
		const parsed = parseJson(read(file));
		const reason = wanted?.reason && reasons[wanted.reason];
		if (!parsed.ok) return expect(parsed.reason).toBe(reason);
		if (file.includes('string-number'))
			return expect(parseCount((parsed.value as { human: string }).human)).toEqual({ ok: true, value: 4 });
		const message = asOwn(parsed.value);
		// A device that reports fewer than nobody present has failed: the own format has no negative presence.
		if (file.includes('negative') || reason)
			return expect(message).toMatchObject({ kind: 'refused', reason: reason ?? 'bad_number' });
		return expect(message).toMatchObject({
			kind: 'reading',
			reading: { value: { kind: 'present', people: wanted?.value } }
		});
	});

	const texts = expected.filter(({ file }) => file.includes('homeassistant-value'));
	it.each(texts.map(({ file }) => [file]))('%s', (file) => {
		const text = decodeText(read(file));
		expect(text.ok && parseCount(text.value)).toEqual({ ok: false, reason: 'bad_number' });
	});
});

describe.runIf(isThere)('cases of several messages', () => {
	const scenario = (name: string): Scenario => {
		const found = scenarios.get(name);
		if (!found) throw new Error(`no scenario ${name}`);
		return found;
	};
	const at = (text: string) => Date.parse(text);

	/** Feeds a scenario of counts through the device, as running totals unless it is said otherwise. */
	const run = (
		name: string,
		options: {
			counter?: Partial<CounterProperties>;
			total?: boolean;
			of?: (
				payload: any,
				index: number
			) => (Partial<Reading> & { counts: Parameters<typeof valueOf>[0] }) | null;
		} = {}
	): { device: Device; taken: Taken[] } => {
		const device = oneCounter({ peoplePerSecondMax: 12, periodSeconds: 60, ...options.counter });
		const taken = scenario(name).messages.flatMap(({ receivedAt, payload, retain }, index) => {
			const more = (options.of ?? ((body) => ({ counts: body })))(payload, index);
			if (!more) return [];
			const { counts, ...other } = more;
			const receivedAtMs = at(receivedAt);
			const reading = newReading(
				'door-1',
				null,
				valueOf(counts, options.total ?? true, null),
				{ receivedAt: receivedAtMs, retained: retain ?? false },
				{ deviceAt: receivedAtMs, ...other }
			);
			return [takeReading(device, reading, { simulatedAllowed: false })];
		});
		return { device, taken };
	};
	const state = ({ device }: { device: Device }) => device.counters[0]!.state;
	const flagged = (taken: Taken[], flag: string) =>
		taken.filter(({ flags }) => (flags as string[]).includes(flag)).length;

	it.each(['reset-at-midnight', 'small-dip-is-not-reset', 'wrap-u16', 'missing-poll'])('%s', (name) => {
		const wanted = scenario(name).expect;
		const result = run(name, wanted.modulus ? { counter: { modulus: wanted.modulus } } : {});
		expect(state(result).totalIn).toBe(wanted.sumIn);
		if (wanted.sumOut !== undefined) expect(state(result).totalOut).toBe(wanted.sumOut);
		expect(flagged(result.taken, 'reset')).toBe(wanted.resets ?? 0);
		if (wanted.quality === 'gap') expect(flagged(result.taken, 'gap')).toBe(1);
	});

	it.each(['out-of-order-fcnt', 'rejoin-fcnt-restart'])('%s', (name) => {
		let boot = 0;
		const result = run(name, {
			of(payload) {
				if (payload.event === 'join') boot++;
				return payload.in === undefined
					? null
					: { counts: { in: payload.in }, order: { session: String(boot), seq: payload.fCnt } };
			}
		});
		expect(state(result).totalIn).toBe(scenario(name).expect.sumIn);
		expect(result.taken.filter(({ reason }) => reason === 'late').length).toBe(
			scenario(name).expect.outOfOrder ?? 0
		);
	});

	it('qos1-duplicate and two-equal-real-crossings', () => {
		const twice = run('qos1-duplicate', {
			total: false,
			of: (payload) => ({ counts: payload.door1, order: { session: payload.messageId, seq: 0 } })
		});
		expect(state(twice).totalIn).toBe(3);
		expect(twice.device.rejects.duplicate).toBe(1);
		const two = run('two-equal-real-crossings', {
			total: false,
			of: (payload) => ({ counts: { in: 1 }, order: { session: 'a', seq: payload.PeopleId } })
		});
		expect(state(two).totalIn).toBe(2);
	});

	it('negative-occupancy keeps the signed number', () => {
		const { totalIn, totalOut } = state(run('negative-occupancy'));
		expect(totalIn - totalOut).toBe(scenario('negative-occupancy').expect.raw);
	});

	it('period-and-total-in-one-frame and backfill-besides-totals use one series', () => {
		const of = (payload: any) =>
			payload.total_in === undefined ? null : { counts: { in: payload.total_in, out: payload.total_out } };
		for (const name of ['period-and-total-in-one-frame', 'backfill-besides-totals']) {
			const { totalIn, totalOut } = state(run(name, { of }));
			expect({ totalIn, totalOut }).toEqual({
				totalIn: scenario(name).expect.sumIn,
				totalOut: scenario(name).expect.sumOut
			});
		}
	});

	it('device-clock-ahead and device-clock-1980: arrival wins, nothing is dropped', () => {
		for (const name of ['device-clock-ahead', 'device-clock-1980']) {
			const result = run(name, {
				counter: { measures: 'present' },
				of: (payload) => ({ counts: { present: payload.occupancy }, deviceAt: at(payload.time) })
			});
			expect(state(result)).toMatchObject({
				present: scenario(name).expect.occupancy,
				heardAt: at(scenario(name).messages.at(-1)?.receivedAt ?? '')
			});
		}
	});

	it('retained-stale-at-start is a last known value with its age', () => {
		const result = run('retained-stale-at-start', {
			counter: { measures: 'present' },
			of: (payload) => ({ counts: { present: Number(payload.Data.Count) }, deviceAt: at(payload.UtcTime) })
		});
		expect(state(result)).toMatchObject({ present: 480, heardAt: at('2026-02-28T22:00:00Z') });
	});

	it.each([
		'text-unknown',
		'no-value-until-first-change',
		'offline-is-unknown',
		'binary-on-wildcard',
		'still-people-vanish'
	])('%s', (name) => {
		const camera: CounterProperties = {
			kind: 'counter',
			id: 'camera',
			adapter: 'frigate',
			device: 'frigate',
			channel: 'zone',
			measures: 'present',
			from: null,
			to: 'hall',
			periodSeconds: 5,
			authority: true
		};
		const device = newDevice('frigate', [camera], true);
		let refused = 0;
		for (const { payload, topic = 'frigate/zone/person', receivedAt, retain = false } of scenario(name)
			.messages) {
			if (typeof payload !== 'string') continue;
			const bytes = payload.startsWith('@hex ') ? Buffer.from(payload.slice(5), 'hex') : Buffer.from(payload);
			const [message] = frigate.parse(
				topic.replace(/^frigate\/\w+\/person/, 'frigate/zone/person'),
				bytes,
				{
					receivedAt: at(receivedAt),
					retained: retain
				},
				source
			);
			if (message?.kind === 'refused') refused++;
			if (message?.kind === 'reading') takeReading(device, message.reading, { simulatedAllowed: false });
		}
		const wanted = scenario(name).expect;
		expect(refused).toBe(wanted.rejected ?? 0);
		expect(device.counters[0]!.state.present).toBe(wanted.occupancy ?? wanted.cameraValue ?? null);
	});

	it('minus-one-sentinel, ndjson-bad-json and partial-update are refused one by one', () => {
		const feed = (name: string, key: (payload: any) => string) =>
			scenario(name).messages.flatMap(({ payload }) =>
				own.parse('marsad/x/y/reading', Buffer.from(key(payload)), arrival, source)
			);
		const kinds = (messages: Message[]) => messages.map(({ kind }) => kind);
		expect(
			kinds(feed('minus-one-sentinel', (payload) => JSON.stringify({ ts: 1, total: true, ...payload })))
		).toEqual(['reading', 'refused', 'reading']);
		expect(
			kinds(
				feed('ndjson-bad-json', (payload: string) => payload.replace('{"occupancy"', '{"ts":1,"present"'))
			)
		).toEqual(['refused', 'reading']);
		expect(
			kinds(
				feed('partial-update', ({ people, ...rest }) =>
					JSON.stringify({ ts: 1, ...rest, ...(people === undefined ? {} : { present: people }) })
				)
			)
		).toEqual(['reading', 'refused']);
	});

	it('empty-retained clears the broker and changes nothing', () =>
		expect(own.parse('marsad/x/y/reading', Buffer.alloc(0), { ...arrival, retained: true }, source)).toEqual(
			[]
		));
});
