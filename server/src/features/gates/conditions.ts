import {
	confirmWithinMs,
	type EvacuationState,
	type Gate,
	type GateCondition,
	type GateConditionKey,
	type Quality
} from '../../../contract/index.ts';

type Finding = Pick<GateCondition, 'state' | 'value' | 'limit' | 'unit'> & { since?: number | null };

const off = { state: 'off', value: null, limit: null } as const;
const toSeconds = (ms: number) => Math.max(0, Math.round(ms / 1_000));

/** What gates and the evacuation say to the alarms at this moment: every key of every subject, on or off. Pure. */
export function gateConditions(
	gates: readonly Gate[],
	evacuation: EvacuationState,
	now: number
): GateCondition[] {
	return [
		...gates.flatMap((gate) => [...differenceConditions(gate, now), ...holdConditions(gate, now)]),
		...evacuationConditions(gates, evacuation, now)
	];
}

function say(key: GateConditionKey, gate: Gate, finding: Finding, quality: Quality = 'live'): GateCondition {
	return {
		key,
		subject: { kind: 'gate', id: gate.id },
		since: null,
		quality,
		mark: gate.mark,
		...finding
	};
}

function differenceConditions(gate: Gate, now: number): GateCondition[] {
	const { difference } = gate;
	const finding: Finding = difference?.overdue
		? {
				...{ state: 'on', since: difference.since, unit: 'seconds' },
				...{ value: toSeconds(now - difference.since), limit: confirmWithinMs / 1_000 }
			}
		: { ...off, unit: 'seconds' };
	return [say('gate-difference', gate, finding)];
}

function holdConditions(gate: Gate, now: number): GateCondition[] {
	// An exit is never held: it has no such alarms at all.
	if (gate.direction === 'out') return [];
	const { hold, crowdOutside: outside } = gate;
	const quality = outside?.quality ?? 'unknown';
	if (!hold) {
		return [
			say('gate-hold-grows', gate, { ...off, unit: 'seconds' }),
			say('gate-hold-ends', gate, { ...off, unit: 'seconds' }),
			say('gate-hold-over', gate, { ...off, unit: 'seconds' }),
			say('gate-outside-full', gate, { ...off, unit: 'people' }),
			say('gate-outside-unknown', gate, { ...off, unit: 'seconds' })
		];
	}
	const growth = outside?.growthPerMinute ?? null;
	const time = { value: toSeconds(hold.until - now), limit: toSeconds(hold.until - hold.since) };
	const onWhile = (is: boolean, since: number): Finding => ({
		...{ state: is ? 'on' : 'off', since: is ? since : null, unit: 'seconds' },
		...time
	});
	// Nobody knows: that is treated as growing.
	const grows = growth === null || growth > 0;
	const isUnknown = outside?.people == null;
	return [
		say('gate-hold-grows', gate, onWhile(hold.warning !== null && grows, hold.since), quality),
		say('gate-hold-ends', gate, onWhile(hold.warning === 'most', hold.since)),
		say('gate-hold-over', gate, onWhile(hold.warning === 'over', hold.until)),
		say('gate-outside-full', gate, fullFinding(gate, hold, now), quality),
		say('gate-outside-unknown', gate, onWhile(isUnknown, hold.since), quality)
	];
}

/** People outside at the end of the hold, at this growth, against what the zone outside bears. */
function fullFinding({ crowdOutside: outside }: Gate, hold: NonNullable<Gate['hold']>, now: number): Finding {
	const people = outside?.people ?? null;
	const capacity = outside?.capacity ?? null;
	const growth = outside?.growthPerMinute ?? null;
	if (people === null || capacity === null)
		return { state: 'unknown', value: null, limit: capacity, unit: 'people' };
	const minutes = Math.max(0, hold.until - now) / 60_000;
	const value = Math.round(people + Math.max(0, growth ?? 0) * minutes);
	if (hold.outsideFullAt !== null)
		return { state: 'on', since: hold.since, value, limit: capacity, unit: 'people' };
	return { state: growth === null ? 'unknown' : 'off', value, limit: capacity, unit: 'people' };
}

function evacuationConditions(
	gates: readonly Gate[],
	{ active, mark }: EvacuationState,
	now: number
): GateCondition[] {
	const overdue = active
		? gates.filter(({ id, difference }) => active.gates.includes(id) && difference?.overdue === true)
		: [];
	const part = { subject: { kind: 'part', id: 'evacuation' }, quality: 'live', mark } as const;
	return [
		{
			...{ ...part, key: 'evacuation', unit: 'seconds', limit: null },
			state: active ? 'on' : 'off',
			since: active?.startedAt ?? null,
			value: active ? toSeconds(now - active.startedAt) : null
		},
		{
			...{ ...part, key: 'evacuation-gates', unit: 'gates', limit: 0 },
			state: overdue.length > 0 ? 'on' : 'off',
			since:
				overdue.length > 0 ? Math.min(...overdue.map(({ difference }) => difference?.since ?? now)) : null,
			value: overdue.length
		}
	];
}
