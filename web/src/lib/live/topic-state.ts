import {
	BarState,
	ConductorDecision,
	CrowdTotal,
	EntryGap,
	EvacuationState,
	Gate,
	GateProposal,
	LevelRulesNow,
	LevelsState,
	liveTopics,
	Patch,
	Reduction,
	RoomHand,
	Scanner,
	SeasonPlan,
	Snapshot,
	SpikeNow,
	Zone,
	type LiveTopic
} from '@marsad/server/contract';
import { Alarm, AlarmAside, AlarmSummary, Dispatch, Incident, Team } from '@marsad/server/contract';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** What a screen knows of one topic: its place in the stream and the newest value of each key. */
export interface TopicCopy {
	readonly stream: string;
	readonly seq: number;
	/** Server time of the newest message, epoch ms. */
	readonly at: number;
	readonly values: ReadonlyMap<string, unknown>;
	/** Keys whose newest value could not be taken: fields of it may not be laid over the older one. */
	readonly missed?: ReadonlySet<string>;
}

export type Applied =
	{ kind: 'applied'; copy: TopicCopy; dropped: number } | { kind: 'gap' } | { kind: 'malformed' };

const snapshotShape = Compile(Snapshot);
const patchShape = Compile(Patch);
const checks = {
	bar: Compile(BarState),
	now: Compile(SpikeNow),
	decisions: Compile(Type.Array(ConductorDecision)),
	hand: Compile(RoomHand),
	total: Compile(CrowdTotal),
	zone: Compile(Zone),
	gate: Compile(Gate),
	gap: Compile(EntryGap),
	scanner: Compile(Scanner),
	reduction: Compile(Reduction),
	proposals: Compile(Type.Array(GateProposal)),
	evacuation: Compile(EvacuationState),
	state: Compile(LevelsState),
	rules: Compile(LevelRulesNow),
	plan: Compile(SeasonPlan)
};
/** Keys that begin so hold one such thing each. */
const alarmChecks = {
	alarm: Compile(Alarm),
	summary: Compile(AlarmSummary),
	aside: Compile(Type.Array(AlarmAside))
};
const dispatchChecks = { team: Compile(Team), dispatch: Compile(Dispatch), incident: Compile(Incident) };

/** Whether a value may enter the screens. Keys of a newer server are let go: nothing here can draw them. */
function isSound(topic: LiveTopic, key: string, value: unknown): boolean {
	const kind = key.split(':', 1)[0];
	if (topic === 'alarms')
		return (
			(kind === 'alarm' || key === 'summary' || key === 'aside') &&
			alarmChecks[kind as keyof typeof alarmChecks].Check(value)
		);
	if (topic === 'dispatch')
		return (
			kind !== undefined &&
			kind in dispatchChecks &&
			dispatchChecks[kind as keyof typeof dispatchChecks].Check(value)
		);
	if (topic === 'overview') return key === 'bar' && checks.bar.Check(value);
	if (topic === 'spike')
		return (key === 'now' || key === 'decisions' || key === 'hand') && checks[key].Check(value);
	if (topic === 'levels') return (key === 'state' || key === 'rules') && checks[key].Check(value);
	if (topic === 'season') return key === 'plan' && checks.plan.Check(value);
	if (topic !== 'crowd') return false;
	if (key === 'total' || key === 'proposals' || key === 'evacuation') return checks[key].Check(value);
	const isOne =
		kind === 'zone' || kind === 'gate' || kind === 'gap' || kind === 'scanner' || kind === 'reduction';
	return isOne && key.includes(':') && checks[kind].Check(value);
}

/** Takes a snapshot; malformed values are dropped and counted, so that they age instead of misleading. */
export function applySnapshot(message: unknown): Applied & { topic?: LiveTopic } {
	if (!snapshotShape.Check(message)) return { kind: 'malformed' };
	return lay(message as Snapshot, {
		...{ values: new Map(), missed: new Set(), isWhole: true },
		...{ changes: message.state, parts: {} }
	});
}

/** Applies a patch to what is known. Another stream or a missing sequence is a gap: the screen asks again. */
export function applyPatch(
	copies: ReadonlyMap<LiveTopic, TopicCopy>,
	message: unknown
): Applied & { topic?: LiveTopic } {
	if (!patchShape.Check(message)) return { kind: 'malformed' };
	const topic = message.topic as LiveTopic;
	const copy = copies.get(topic);
	if (!copy || copy.stream !== message.stream || message.seq > copy.seq + 1) return { kind: 'gap', topic };
	// A patch from before the snapshot may still arrive: it says nothing new.
	if (message.seq <= copy.seq) return { kind: 'applied', topic, dropped: 0, copy };
	return lay(message as Patch, {
		...{ values: new Map(copy.values), missed: new Set(copy.missed), isWhole: false },
		...{ changes: message.changes, parts: message.parts ?? {} }
	});
}

/** Lays whole values and fields over what was there. */
function lay(
	{ topic, stream, seq, at }: Pick<Snapshot, 'topic' | 'stream' | 'seq' | 'at'>,
	given: {
		values: Map<string, unknown>;
		missed: Set<string>;
		/** A snapshot holds no removals. */
		isWhole: boolean;
		changes: Readonly<Record<string, unknown>>;
		parts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	}
): Applied & { topic?: LiveTopic } {
	const { values, missed } = given;
	let dropped = 0;
	const take = (key: string, value: unknown) => {
		if (isSound(topic, key, value)) {
			values.set(key, value);
			missed.delete(key);
			return;
		}
		missed.add(key);
		dropped += 1;
	};
	for (const [key, value] of Object.entries(given.changes)) {
		if (value !== null || given.isWhole) take(key, value);
		else {
			values.delete(key);
			missed.delete(key);
		}
	}
	for (const [key, fields] of Object.entries(given.parts)) {
		const before = values.get(key);
		// Without the newest whole value the fields say nothing.
		take(key, before && !missed.has(key) ? { ...before, ...fields } : undefined);
	}
	return { kind: 'applied', topic, dropped, copy: { stream, seq, at, values, missed } };
}

export const allTopics: readonly LiveTopic[] = liveTopics;
