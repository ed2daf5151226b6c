import {
	proposalAsks,
	type Gate,
	type GateProposal,
	type GateStateName,
	type Mark,
	type ProposalAsk,
	type Zone
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Site } from '../site/index.ts';

const strictness: readonly GateStateName[] = ['open', 'metered', 'held', 'closed'];
/** People a minute through a gate, as a share of what its lanes can scan. */
const meterShare = 0.5;
const divertShare = 0.25;
const oneForOneShare = 0.1;

interface Wanted {
	state: GateStateName;
	ratePerMinute: number | null;
}

/**
 * What the written steps of zones ask for at gates, worst zone first: the gates into the zone, else those into what
 * feeds it. A gate that is at least as strict already is left out; a proposal whose gates all are is done. Pure.
 */
export function findProposals(seen: {
	site: Site;
	zones: readonly Zone[];
	gates: readonly Gate[];
	dismissed: ReadonlyMap<string, number>;
	now: number;
	/** Since when a proposal is known. */
	sinceOf(id: string): number;
	mark: Mark;
}): GateProposal[] {
	return seen.zones
		.flatMap((zone) => {
			const asks = askOf(zone);
			if (!zone.step || !asks) return [];
			const id = `${zone.id}.${zone.step.percent}.${asks}`;
			const dismissedAt = seen.dismissed.get(id);
			if (dismissedAt !== undefined && seen.now - dismissedAt < limits.gates.dismissMs) return [];
			const feeding = findFeeding(zone, seen);
			const gates = feeding.gates.flatMap((gate) => {
				const wanted = wantedOf(asks, gate, zone, feeding.gates);
				if (isAsStrict(gate, wanted)) return [];
				return [{ gate: gate.id, names: gate.names, version: gate.version, ...wanted }];
			});
			if (feeding.gates.length > 0 && gates.length === 0) return [];
			const { percent, action } = zone.step;
			const proposal: GateProposal = {
				...{ id, zone: zone.id, zoneNames: zone.names, percent, action, asks },
				...{ since: seen.sinceOf(id), quality: zone.quality, feeds: feeding.feeds },
				gates: gates.slice(0, limits.gates.proposalGatesMax),
				mark: zone.mark
			};
			return [proposal];
		})
		.sort((a, b) => b.percent - a.percent);
}

function askOf({ step }: Zone): ProposalAsk | undefined {
	return proposalAsks.find((ask) => ask === step?.asks);
}

/** Upstream first: what feeds a zone directly, and the nearest gates on the way in. */
function findFeeding(
	zone: Zone,
	{ site, zones, gates }: { site: Site; zones: readonly Zone[]; gates: readonly Gate[] }
): { feeds: GateProposal['feeds']; gates: Gate[] } {
	const byId = new Map(zones.map((other) => [other.id, other]));
	const entriesInto = (ids: readonly string[]) =>
		ids.flatMap((id) => gates.filter((gate) => gate.direction === 'in' && gate.zone === id));
	const feedersOf = (id: string) => byId.get(id)?.upstream ?? [];
	const feeds: GateProposal['feeds'] = [
		...entriesInto([zone.id]).map(({ id, names }) => ({ kind: 'gate' as const, id, names, perMinute: null })),
		...feedersOf(zone.id).flatMap((id) => {
			const names = site.zones.get(id)?.names;
			const perMinute = byId.get(id)?.flowPerMinute?.out ?? null;
			return names ? [{ kind: 'zone' as const, id, names, perMinute }] : [];
		})
	];
	const visited = new Set<string>();
	let level = [zone.id];
	while (level.length > 0) {
		const found = entriesInto(level);
		if (found.length > 0) return { feeds, gates: found };
		level.forEach((id) => visited.add(id));
		level = [...new Set(level.flatMap(feedersOf))].filter((id) => !visited.has(id));
	}
	return { feeds, gates: [] };
}

function wantedOf(asks: ProposalAsk, gate: Gate, zone: Zone, all: readonly Gate[]): Wanted {
	const metered = (people: number): Wanted => ({
		state: 'metered',
		ratePerMinute: Math.min(gate.fullRatePerMinute, Math.max(1, Math.floor(people)))
	});
	const full = gate.fullRatePerMinute;
	switch (asks) {
		case 'meter':
			return metered(full * meterShare);
		case 'divert':
			return metered(full * divertShare);
		case 'one-in-one-out': {
			// As many as leave, shared among the gates; nobody knows how many leave: few.
			const leaving = zone.flowPerMinute?.out;
			return metered(leaving === undefined ? full * oneForOneShare : leaving / all.length);
		}
		case 'hold':
		case 'stop':
			return { state: 'held', ratePerMinute: null };
	}
}

function isAsStrict({ commanded }: Gate, wanted: Wanted): boolean {
	const difference = strictness.indexOf(commanded.state) - strictness.indexOf(wanted.state);
	if (difference !== 0 || wanted.ratePerMinute === null) return difference >= 0;
	return (commanded.ratePerMinute ?? Infinity) <= wanted.ratePerMinute;
}
