import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newDevice, restoreMessageKey, takeReading, type Device } from './device.ts';
import { oneCounter } from './device.fixture.ts';
import { newReading } from './reading.ts';

/** Cases from public reports; they stand beside the repository, not in it. */
const file = fileURLToPath(new URL('../../../../../shared/samples/scenarios.json', import.meta.url));
interface Scenario {
	name: string;
	messages: { receivedAt: string; payload: { in?: number; out?: number; fCnt?: number } }[];
	expect: Record<string, unknown>;
}
const scenarios: Scenario[] = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Scenario[]) : [];
const totals = [
	...['reset-at-midnight', 'small-dip-is-not-reset', 'wrap-u16', 'missing-poll'],
	...['negative-occupancy', 'swapped-direction', 'out-of-order-fcnt']
];

/** As the store keeps it: state as JSON, and the keys of messages. */
function restart(device: Device, keys: readonly string[]): Device {
	const next = newDevice('door-1', [device.counters[0]!.properties], false);
	const { seen, clock, rejects, readings } = device;
	Object.assign(next, JSON.parse(JSON.stringify({ seen, clock, rejects, readings })));
	next.counters[0]!.state = JSON.parse(JSON.stringify(device.counters[0]!.state));
	for (const key of keys) restoreMessageKey(next, key);
	return next;
}

function run({ messages, expect: wanted }: Scenario, cut: number | null): Device {
	const modulus = typeof wanted['modulus'] === 'number' ? { modulus: wanted['modulus'] } : {};
	let device = oneCounter({ peoplePerSecondMax: 12, periodSeconds: 60, ...modulus });
	const keys: string[] = [];
	for (const [index, { receivedAt, payload }] of messages.entries()) {
		if (index === cut) device = restart(device, keys);
		const at = Date.parse(receivedAt);
		const order = payload.fCnt === undefined ? null : { session: 'a', seq: payload.fCnt };
		const value = { in: payload.in ?? null, out: payload.out ?? null, epoch: null, modulus: null };
		const reading = newReading(
			...(['door-1', null, { kind: 'total', ...value }, { receivedAt: at, retained: false }] as const),
			{ deviceAt: at, order }
		);
		const { messageKey } = takeReading(device, reading, { simulatedAllowed: false });
		if (messageKey !== null) keys.push(messageKey);
	}
	return device;
}

describe.runIf(scenarios.length > 0)('a restart before any message of a scenario changes nothing', () => {
	it.each(totals)('%s', (name) => {
		const scenario = scenarios.find((one) => one.name === name)!;
		const { state } = run(scenario, null).counters[0]!;
		for (const cut of scenario.messages.keys()) {
			const device = run(scenario, cut);
			expect(device.counters[0]!.state).toEqual(state);
		}
		const { raw, sumIn } = scenario.expect;
		if (raw !== undefined) expect(state.totalIn - state.totalOut).toBe(raw);
		if (sumIn !== undefined) expect(state.totalIn).toBe(sumIn);
	});
});
