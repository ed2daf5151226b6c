import {
	readinessChecks,
	type KnownSpike,
	type ReadinessAnswer,
	type ReadinessCheck
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import {
	judgeDrills,
	judgeNarrowest,
	judgeNote,
	judgeRun,
	judgeWarm,
	resultOf,
	type Facts,
	type Finding
} from './judge.ts';
import {
	judgeCounters,
	judgeFreeze,
	judgeKeys,
	judgeOrders,
	judgeRoster,
	judgeScanners,
	judgeSlots
} from './judge-site.ts';

type Judge = (facts: Facts, spike: KnownSpike & { startsAt: number; endsAt: number }) => Finding;

const judges: Record<ReadinessCheck, Judge> = {
	run: judgeRun,
	narrowest: judgeNarrowest,
	'levels-drilled': judgeDrills,
	'external-limits': (facts) => judgeNote(facts, 'external-limits'),
	slots: judgeSlots,
	keys: judgeKeys,
	scanners: judgeScanners,
	counters: judgeCounters,
	// No approved template of a correction is kept anywhere yet: nobody can say that there is one.
	messages: () => ({ state: 'unknown', reason: 'not-kept' }),
	backup: (facts) => judgeNote(facts, 'backup'),
	warm: judgeWarm,
	orders: judgeOrders,
	freeze: judgeFreeze,
	roster: judgeRoster
};

/** How ready one spike is. One whose day does not exist is not: nothing can be held against no time. */
export function judgeSpike(facts: Facts, spike: KnownSpike): ReadinessAnswer['spikes'][number] {
	const { startsAt, endsAt } = spike;
	const checks = readinessChecks.map((check) =>
		resultOf(
			check,
			startsAt === null || endsAt === null
				? { state: 'unknown', reason: 'no-day' }
				: judges[check](facts, { ...spike, startsAt, endsAt })
		)
	);
	const ready = checks.every(({ state }) => state === 'shown' || state === 'not-needed');
	return { id: spike.id, names: spike.names, startsAt, ready, checks };
}

/** Spikes that are not over, the nearest first; those without a day stand first of all. */
export function judgeSpikes(facts: Facts, spikes: readonly KnownSpike[]): ReadinessAnswer['spikes'] {
	return spikes
		.filter(({ endsAt }) => endsAt === null || endsAt > facts.now)
		.toSorted((a, b) => (a.startsAt ?? 0) - (b.startsAt ?? 0))
		.slice(0, limits.readiness.spikesShown)
		.map((spike) => judgeSpike(facts, spike));
}
