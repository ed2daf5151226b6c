import type { LocalText, SensorState } from '../../../contract/index.ts';
import type { Condition, PointId } from './model.ts';
import { levelOf } from './rule.ts';
import type { RuleNumbers } from './rule-numbers.ts';
import type { PartFigures } from './sources.ts';

/** The level in force of a point. */
export type Held = (point: PointId) => number;
export type RefusalRate = (device: SensorState, now: number) => number | null;

/** Not counted by a broken or foreign sender; a repeated or late message is the daily life of a good one. */
const daily: ReadonlySet<string> = new Set(['duplicate', 'late', 'retained', 'held_jump']);

/** Refused messages of each device in the last minute; null until it was watched for a minute. */
export function createRefusalRate(): RefusalRate {
	const looks = new Map<string, { at: number; total: number }[]>();
	return ({ device, rejects }, now) => {
		const total = Object.entries(rejects).reduce(
			(sum, [why, count]) => (daily.has(why) ? sum : sum + count),
			0
		);
		const past = (looks.get(device) ?? []).filter(({ at }) => now - at <= 65_000);
		// A look every five seconds is enough for a rate, and one that went backwards begins anew.
		if (past.length === 0 || now - past.at(-1)!.at >= 5_000) past.push({ at: now, total });
		if (past.some((look) => look.total > total)) past.splice(0, past.length, { at: now, total });
		looks.set(device, past);
		const oldest = past[0]!;
		return now - oldest.at < 55_000 ? null : total - oldest.total;
	};
}

/** It ought to speak, and does not. */
function isGone({ optional, state, heard }: SensorState): boolean {
	return !optional && (state === 'offline' || state === 'never' || heard === 0);
}

/** How many devices of each zone are silent. */
export function countGone(devices: readonly SensorState[]): ReadonlyMap<string, number> {
	const gone = new Map<string, number>();
	for (const device of devices)
		if (isGone(device)) for (const zone of device.zones) gone.set(zone, (gone.get(zone) ?? 0) + 1);
	return gone;
}

/** What one device says to the rules. */
export function deviceConditions(
	device: SensorState,
	context: {
		held: Held;
		blind: ReadonlySet<string>;
		gone: ReadonlyMap<string, number>;
		parts: PartFigures;
		numbers: RuleNumbers;
		/** It has time yet to be heard after a start. */
		isAwaited(device: SensorState): boolean;
		refused: number | null;
	}
): Condition[] {
	const { limits, deadbands } = context.numbers;
	const names: LocalText = { ar: device.device, en: device.device };
	const id = device.device;
	const zone = device.zones[0] ?? null;
	const offset = device.clockOffsetMs === null ? null : Math.abs(device.clockOffsetMs) / 1_000;
	const held = context.held({ definition: 'device-clock', kind: 'device', id });
	const base = { kind: 'device', id, names, zone, mark: device.simulated ? 'simulated' : 'none' } as const;
	return [
		{
			...{ ...base, definition: 'device-gone', quality: isGone(device) ? 'unknown' : 'live' },
			level: isGone(device) ? (context.isAwaited(device) ? null : 1) : 0,
			...{ value: device.ageSeconds, limit: null, unit: 'seconds' },
			suppressed: whyNoDevice(device, context)
		},
		{
			...{ ...base, definition: 'device-clock', quality: 'live' },
			level:
				device.clock === 'bad'
					? 1
					: offset === null
						? null
						: levelOf(offset, limits['device-clock'], { deadband: deadbands['device-clock'], held }),
			...{ value: offset, limit: limits['device-clock'][0] ?? null, unit: 'seconds' }
		},
		{
			...{ ...base, definition: 'counter-suspect', quality: 'live' },
			// A held or re-based jump mends itself; these two need somebody to look.
			level: device.hints.some(({ kind }) => kind === 'direction-suspect' || kind === 'flat') ? 1 : 0,
			...{ value: null, limit: null, unit: 'seconds' }
		},
		{
			...{ ...base, definition: 'device-refused', quality: context.refused === null ? 'unknown' : 'live' },
			level:
				context.refused === null
					? null
					: levelOf(context.refused, limits['device-refused'], {
							...{
								deadband: deadbands['device-refused'],
								held: context.held({ definition: 'device-refused', kind: 'device', id })
							}
						}),
			...{ value: context.refused, limit: limits['device-refused'][0] ?? null, unit: 'messages/min' }
		}
	];
}

/** One cause, one alarm: a device is not missed beside what has an alarm of its own. */
function whyNoDevice(
	{ zones }: SensorState,
	context: {
		blind: ReadonlySet<string>;
		gone: ReadonlyMap<string, number>;
		parts: PartFigures;
		numbers: RuleNumbers;
	}
): LocalText | null {
	if (!context.parts.brokerConnected)
		return { ar: 'وسيط الرسائل غير متصل، وله إنذاره', en: 'The broker is away, which has its own alarm' };
	if (zones.length > 0 && zones.every((zone) => context.blind.has(zone)))
		return {
			ar: 'المنطقة كلها غير معروفة، ولها إنذارها',
			en: 'The whole zone is unknown, which has its own alarm'
		};
	const [silentMost = Infinity] = context.numbers.limits['zone-partial'];
	if (zones.some((zone) => (context.gone.get(zone) ?? 0) >= silentMost))
		return {
			ar: 'عدّادات عدة منقطعة في المنطقة، ولها إنذار واحد',
			en: 'Several counters of the zone are silent, which is one alarm'
		};
	return null;
}
