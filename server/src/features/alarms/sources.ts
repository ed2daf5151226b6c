import type { ActionStep, GateCondition, LocalText, SensorState, Zone } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Site, SiteZone } from '../site/index.ts';
import { stepPriority } from './definitions.ts';
import { pointKey, type Condition, type PointId } from './model.ts';
import { countGone, deviceConditions, type Held, type RefusalRate } from './device-sources.ts';
import { levelOf } from './rule.ts';
import type { RuleNumbers } from './rule-numbers.ts';

/** The parts of the server, as the rules need them. Null: not known. */
export interface PartFigures {
	databaseMs: number | null;
	brokerConnected: boolean;
	/** Whether any instance counts readings, as far as this one can tell. */
	counting: boolean | null;
	workRatio: number | null;
	bookingP95Seconds: number | null;
}

export interface Sources {
	site: Site;
	zones(): readonly Zone[];
	gates(): readonly GateCondition[];
	devices(): readonly SensorState[];
	parts(): PartFigures;
	/** Limits and deadbands that are in force on this site. */
	numbers: RuleNumbers;
}

/** What the house itself says to the rules at this moment. */
export function readSources(
	sources: Sources,
	heldOf: (key: string) => number,
	context: { now: number; startedAt: number; refusedPerMinute: RefusalRate }
): Condition[] {
	const held: Held = (point) => heldOf(pointKey(point));
	const age = context.now - context.startedAt;
	const isStarting = age < limits.alarms.startGraceMs;
	const zones = sources.zones();
	const blind = new Set(zones.filter(({ quality }) => quality === 'unknown').map(({ id }) => id));
	const parts = sources.parts();
	const devices = sources.devices();
	const gone = countGone(devices);
	const crossed = new Set(
		[...sources.site.counters.values()]
			.filter(({ measures, authority }) => measures === 'crossing' && authority)
			.flatMap(({ from, to }) => [from, to])
	);
	return [
		...zones.flatMap((zone) => {
			const own = sources.site.zones.get(zone.id);
			return own
				? zoneConditions(zone, own, {
						...{ held, numbers: sources.numbers },
						now: context.now,
						isStarting,
						isCrossed: crossed.has(zone.id),
						gone: devices.length > 0 ? (gone.get(zone.id) ?? 0) : null
					})
				: [];
		}),
		...devices.flatMap((device) =>
			deviceConditions(device, {
				...{ held, blind, gone, parts, numbers: sources.numbers },
				isAwaited: ({ state }) =>
					age < (state === 'never' ? limits.alarms.neverHeardGraceMs : limits.alarms.startGraceMs),
				refused: context.refusedPerMinute(device, context.now)
			})
		),
		...sources.gates().map((gate) => gateCondition(gate, sources.site)),
		...partConditions(parts, held, sources.numbers)
	];
}

interface ZoneContext {
	held: Held;
	numbers: RuleNumbers;
	now: number;
	isStarting: boolean;
	/** Devices of it that are gone. */
	gone: number | null;
	/** Some door of it is counted. */
	isCrossed: boolean;
}

function zoneConditions(
	zone: Zone,
	own: SiteZone,
	{ held, numbers, now, isStarting, gone, isCrossed }: ZoneContext
): Condition[] {
	const isBlind = zone.quality === 'stale' || zone.quality === 'unknown';
	const say = (
		definition: string,
		finding: Pick<Condition, 'level' | 'value' | 'limit' | 'unit'>
	): Condition => ({
		...{ definition, kind: 'zone', id: zone.id, names: zone.names, zone: zone.id },
		...{ quality: zone.quality, mark: zone.mark, ...finding }
	});
	const heldAt = (definition: string) => held({ definition, kind: 'zone', id: zone.id });
	const { density, heat, disagreement } = zone;
	const last = zone.lastKnown?.present ?? 0;
	// Where no door is counted the worst case is always a full zone: there the last fill decides.
	const people = isCrossed ? (zone.worstCase?.high ?? last) : last;
	const share = people / zone.capacity;
	// Nobody ever knew how full it is: that is no reason to think that it is empty.
	const isKnown = zone.worstCase !== null || zone.lastKnown !== null;
	const silentLevel = isKnown
		? 1 + numbers.limits['zone-silent'].filter((limit) => share >= limit).length
		: 2;
	const isCounted = zone.sources.expected > 0;
	const filling = fillsSoon(
		zone,
		own,
		{ held: heldAt('zone-fills'), deadband: numbers.deadbands['zone-fills'] },
		now
	);
	const [silentMost = Infinity] = numbers.limits['zone-partial'];
	return [
		stepCondition(zone, own, say, isBlind, {
			...{ held: heldAt('zone-step'), deadband: numbers.deadbands['zone-step'] }
		}),
		say('zone-density', {
			level:
				isBlind || density === null
					? null
					: levelOf(density, numbers.limits['zone-density'], {
							...{ deadband: numbers.deadbands['zone-density'], held: heldAt('zone-density') }
						}),
			...{ value: density, limit: limitOf(numbers.limits['zone-density'], density), unit: 'people/m2' }
		}),
		say('zone-fills', filling),
		say('zone-silent', {
			level: !isCounted
				? 0
				: zone.quality === 'unknown'
					? isStarting
						? null
						: silentLevel
					: isBlind
						? null
						: 0,
			...{ value: zone.lastKnown?.present ?? null, limit: zone.capacity, unit: 'people' }
		}),
		say('zone-partial', {
			// A zone that nobody counts at all has an alarm of its own; while it comes back its devices do, one by one.
			level: gone === null || isStarting || zone.quality === 'unknown' ? null : gone >= silentMost ? 1 : 0,
			...{ value: gone, limit: silentMost, unit: 'devices' }
		}),
		say('zone-disagrees', {
			level: isBlind ? null : disagreement ? 1 : 0,
			...{ value: disagreement?.camera ?? null, limit: disagreement?.doors ?? null, unit: 'people' }
		}),
		say('zone-recount', {
			level: zone.quality === 'unknown' ? null : zone.drift ? 1 : 0,
			...{ value: zone.present, limit: 0, unit: 'people' }
		}),
		say('zone-heat', {
			level: heat
				? levelOf(heat.wbgtCelsius, numbers.limits['zone-heat'], {
						...{ deadband: numbers.deadbands['zone-heat'], held: heldAt('zone-heat') }
					})
				: null,
			value: heat?.wbgtCelsius ?? null,
			...{ limit: limitOf(numbers.limits['zone-heat'], heat?.wbgtCelsius ?? null), unit: 'celsius' }
		})
	];
}

/** One alarm a zone: its level is the highest written step in force. A silent zone keeps the one it has. */
function stepCondition(
	zone: Zone,
	own: SiteZone,
	say: (definition: string, finding: Pick<Condition, 'level' | 'value' | 'limit' | 'unit'>) => Condition,
	isBlind: boolean,
	{ held, deadband }: { held: number; deadband: number }
): Condition {
	const percents = own.steps.map(({ percent }) => percent);
	const percent = zone.occupancy === null ? null : Math.round(zone.occupancy * 1_000) / 10;
	const reached = zone.step ? percents.indexOf(zone.step.percent) + 1 : 0;
	const stillIn = percent === null ? 0 : Math.min(held, levelOf(percent, percents, { deadband, held }));
	const level = isBlind ? null : Math.max(reached, stillIn);
	const step = own.steps[(level ?? held) - 1];
	return {
		...say('zone-step', { level, ...stepEvidence(zone, step, percent) }),
		priorities: percents.map(stepPriority),
		action: step?.action,
		who: step?.who ?? null
	};
}

/** The figure by which the step stands: a step for its density is not explained by a share of capacity. */
function stepEvidence(
	{ step: reached, density, timeToCapacity }: Zone,
	step: ActionStep | undefined,
	percent: number | null
) {
	if (reached?.why === 'density') return { value: density, limit: step?.density ?? null, unit: 'people/m2' };
	if (reached?.why === 'time')
		return {
			value: timeToCapacity?.fromSeconds ?? null,
			limit: step?.timeToCapacitySeconds ?? null,
			unit: 'seconds'
		};
	return { value: percent, limit: step?.percent ?? null, unit: 'percent' };
}

/** Full before its feed can be closed, or the hold point is passed. While nobody counts it the worst case goes on. */
function fillsSoon(zone: Zone, own: SiteZone, memory: { held: number; deadband: number }, now: number) {
	const closeSeconds = own.closeSeconds;
	const base = { limit: closeSeconds, unit: 'seconds' };
	if (zone.assumedFullAt !== null) {
		const value = Math.max(0, Math.round((zone.assumedFullAt - now) / 1_000));
		return { ...base, value, level: value <= closeSeconds ? 1 : null };
	}
	if (zone.quality === 'stale' || zone.quality === 'unknown') return { ...base, value: null, level: null };
	const value = zone.timeToCapacity?.fromSeconds ?? null;
	const isSoon = value !== null && levelOf(value, [closeSeconds], { ...memory, low: true }) > 0;
	return { ...base, value, level: isSoon ? 1 : 0 };
}

function gateCondition(condition: GateCondition, site: Site): Condition {
	const { key, subject, state, value, limit, unit, quality, mark } = condition;
	const gate = site.gates.find(({ id }) => id === subject.id);
	const names = gate?.name ?? { ar: 'الإخلاء', en: 'Evacuation' };
	return {
		...{ definition: key, kind: subject.kind, id: subject.id, names, zone: gate?.zone ?? null },
		level: state === 'unknown' ? null : state === 'on' ? 1 : 0,
		...{ value, limit, unit, quality, mark }
	};
}

/** Whether there is nothing left of which anybody could speak: what left the site file. */
export function isPast({ kind, id }: PointId, { site }: Sources): boolean {
	if (kind === 'zone') return !site.zones.has(id);
	if (kind === 'gate') return !site.gates.some((gate) => gate.id === id);
	return kind === 'device' && !site.countersByDevice.has(id);
}

const partNames: Record<string, LocalText> = {
	database: { ar: 'قاعدة البيانات', en: 'Database' },
	broker: { ar: 'وسيط الرسائل', en: 'Message broker' },
	counting: { ar: 'احتساب القراءات', en: 'Counting of readings' },
	'work-ratio': { ar: 'المخدومون ÷ الطلبات', en: 'Drain ÷ inflow' },
	'booking-slow': { ar: 'الحجز', en: 'Booking' }
};

function partConditions(parts: PartFigures, held: Held, numbers: RuleNumbers): Condition[] {
	const say = (
		definition: string,
		finding: Pick<Condition, 'level' | 'value' | 'limit' | 'unit'>
	): Condition => ({
		...{
			definition,
			kind: 'part',
			id: definition,
			names: partNames[definition] ?? { ar: definition, en: definition }
		},
		...{ zone: null, quality: finding.level === null ? 'unknown' : 'live', mark: 'none', ...finding }
	});
	const measured = (
		definition: 'database' | 'work-ratio' | 'booking-slow',
		value: number | null,
		options: { unit: string; low?: boolean }
	) => {
		const own = numbers.limits[definition];
		return say(definition, {
			level:
				value === null
					? null
					: levelOf(value, own, {
							...{ ...options, deadband: numbers.deadbands[definition] },
							held: held({ definition, kind: 'part', id: definition })
						}),
			...{ value, limit: limitOf(own, value, options.low), unit: options.unit }
		});
	};
	const onOff = (definition: string, isOn: boolean | null) =>
		say(definition, {
			level: isOn === null ? null : isOn ? 1 : 0,
			value: null,
			limit: null,
			unit: 'seconds'
		});
	return [
		measured('database', parts.databaseMs, { unit: 'milliseconds' }),
		onOff('broker', !parts.brokerConnected),
		onOff('counting', parts.counting === null ? null : !parts.counting),
		measured('work-ratio', parts.workRatio, { unit: 'ratio', low: true }),
		measured('booking-slow', parts.bookingP95Seconds, { unit: 'seconds' })
	];
}

/** The worst limit that a value has passed, else the first. */
function limitOf(all: readonly number[], value: number | null, low = false): number | null {
	const passed = value === null ? [] : all.filter((limit) => (low ? value < limit : value >= limit));
	return passed.at(-1) ?? all[0] ?? null;
}
