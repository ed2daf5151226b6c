import type { CrowdTotal, LevelsState, SpikeNow, Zone } from '@marsad/server/contract';
import { comparePriority, priorityOfZone, type Priority } from '../priority.ts';
import { shownQualityEachSecond, type LinkAge } from '../quality.ts';
import { judgeP95, judgeWork } from './figures.ts';

/** One thing that is not as it should be now, with what the screens need to say about it. */
export type Abnormal = { key: string; priority: Priority } & (
	| { kind: 'link'; since: number }
	| { kind: 'zone'; zone: Zone }
	| { kind: 'zone-unknown'; zone: Zone }
	| { kind: 'zone-wrong'; zone: Zone }
	| { kind: 'work'; ratio: number; belowSeconds: number; isPastKillLine: boolean }
	| { kind: 'p95'; ms: number; aboveSeconds: number }
	| { kind: 'faults'; count: number }
	| { kind: 'blind' }
	| { kind: 'slowed'; health: number; perSecond: number }
	| { kind: 'figures-old'; at: number }
	| { kind: 'part'; name: string; state: 'down' | 'slow' | 'unknown' | 'breaker' }
	| { kind: 'counters'; silent: number; expected: number }
	| { kind: 'level'; level: number; since: number; isExercise: boolean }
	/** A level waits for a person: asked by a colleague, by a rule, or by its planned end. */
	| { kind: 'level-asks'; level: number; at: number; by: 'person' | 'up' | 'down' | 'until' }
);

export interface Known {
	now: number;
	link: LinkAge;
	/** When the link was lost, epoch ms; null while it is there. */
	lostSince: number | null;
	spike: SpikeNow | null;
	zones: readonly Zone[];
	total: CrowdTotal | null;
	levels: LevelsState | null;
	/** For how long 95 of 100 bookings have been over the limit. */
	p95AboveSeconds: number;
}

/**
 * What is abnormal now, most urgent first, worked out of the same figures that the screens show. It has no
 * memory and takes no acknowledgement: it is a reading of the board, not an alarm list.
 */
export function findAbnormal(known: Known): Abnormal[] {
	const found = [
		...ofLink(known),
		...known.zones.flatMap(ofZone),
		...ofSpike(known),
		...ofCounters(known),
		...ofLevel(known)
	];
	return found
		.map((item, index) => ({ item, index }))
		.sort((a, b) => comparePriority(a.item.priority, b.item.priority) || a.index - b.index)
		.map(({ item }) => item);
}

function ofLink({ lostSince }: Known): Abnormal[] {
	return lostSince === null ? [] : [{ key: 'link', kind: 'link', priority: 'high', since: lostSince }];
}

function ofZone(zone: Zone): Abnormal[] {
	const priority = priorityOfZone(zone);
	if (priority === null) return [];
	const kind = zone.quality === 'unknown' ? 'zone-unknown' : zone.drift ? 'zone-wrong' : 'zone';
	return [{ key: `zone:${zone.id}`, kind, priority, zone }];
}

function ofSpike({ spike, link, now, p95AboveSeconds }: Known): Abnormal[] {
	if (!spike) return [];
	const found: Abnormal[] = [];
	const quality = shownQualityEachSecond('live', spike.at, link, now);
	if (link.isLive && quality === 'stale')
		found.push({ key: 'figures', kind: 'figures-old', priority: 'high', at: spike.at });
	const work = judgeWork(spike.work);
	if (work.priority && work.ratio !== null) {
		const isPastKillLine = work.state === 'kill-line';
		found.push({
			key: 'work',
			kind: 'work',
			priority: work.priority,
			ratio: work.ratio,
			belowSeconds: work.belowSeconds,
			isPastKillLine
		});
	}
	const p95 = judgeP95(spike.booking.p95Ms, p95AboveSeconds);
	if (p95 && spike.booking.p95Ms !== null) {
		found.push({
			key: 'p95',
			kind: 'p95',
			priority: p95,
			ms: spike.booking.p95Ms,
			aboveSeconds: p95AboveSeconds
		});
	}
	if (spike.outcomes.faults > 0) {
		const share = spike.outcomes.faults / Math.max(1, spike.outcomes.booked + spike.outcomes.faults);
		found.push({
			key: 'faults',
			kind: 'faults',
			priority: share > 0.01 ? 'high' : 'medium',
			count: spike.outcomes.faults
		});
	}
	if (spike.rate.blind) found.push({ key: 'blind', kind: 'blind', priority: 'high' });
	else if (spike.rate.limitedBy === 'health') {
		found.push({
			key: 'slowed',
			kind: 'slowed',
			priority: 'medium',
			health: spike.rate.health,
			perSecond: spike.rate.perSecond
		});
	}
	return [...found, ...spike.dependencies.flatMap(ofPart)];
}

function ofPart(part: SpikeNow['dependencies'][number]): Abnormal[] {
	const key = `part:${part.name}`;
	if (part.state === 'down') return [{ key, kind: 'part', priority: 'high', name: part.name, state: 'down' }];
	if (part.breaker === 'open')
		return [{ key, kind: 'part', priority: 'high', name: part.name, state: 'breaker' }];
	if (part.state === 'slow' || part.state === 'unknown') {
		return [{ key, kind: 'part', priority: 'medium', name: part.name, state: part.state }];
	}
	return [];
}

/** Silent counters stand on their own only where no zone says it louder. */
function ofCounters({ total, zones }: Known): Abnormal[] {
	if (!total) return [];
	const silent = total.sources.expected - total.sources.heard;
	if (silent <= 0 || zones.some((zone) => zone.quality === 'unknown')) return [];
	return [{ key: 'counters', kind: 'counters', priority: 'low', silent, expected: total.sources.expected }];
}

function ofLevel({ levels }: Known): Abnormal[] {
	if (!levels) return [];
	const { current, proposal, ruleProposal } = levels;
	const found: Abnormal[] = [];
	if (proposal) {
		const { level, at, id } = proposal;
		found.push({ key: `asks:${id}`, kind: 'level-asks', priority: 'medium', level, at, by: 'person' });
	}
	if (ruleProposal) {
		const { level, at, id, why, direction } = ruleProposal;
		const by = why === 'until' ? why : direction;
		found.push({ key: `asks:${id}`, kind: 'level-asks', priority: 'medium', level, at, by });
	}
	if (current.level > 0) {
		const { level, since, exercise } = current;
		found.push({ key: 'level', kind: 'level', priority: 'low', level, since, isExercise: exercise });
	}
	return found;
}

/** What changed between two lists, for the digest that a screen reader hears. */
export function changesOf(
	before: readonly Abnormal[],
	after: readonly Abnormal[]
): { critical: Abnormal[]; appeared: Abnormal[]; gone: Abnormal[] } {
	const was = new Map(before.map((item) => [item.key, item.priority]));
	const is = new Set(after.map((item) => item.key));
	const fresh = after.filter((item) => was.get(item.key) !== item.priority);
	return {
		critical: fresh.filter((item) => item.priority === 'critical'),
		appeared: fresh.filter((item) => item.priority !== 'critical'),
		gone: before.filter((item) => !is.has(item.key))
	};
}
