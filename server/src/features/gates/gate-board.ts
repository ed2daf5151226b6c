import type {
	EvacuationState,
	Gate,
	GateProposal,
	GateProperties,
	Mark,
	Zone
} from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Site } from '../site/index.ts';
import { crowdOutside } from './crowd-outside.ts';
import { findNewestTwo, type StoredEvacuation } from './evacuation-store.ts';
import { reachOf, viewEvacuation } from './evacuation-plan.ts';
import type { StoredGate } from './gate-decide.ts';
import { viewGate } from './gate-view.ts';
import { listDismissals, listGates } from './gates-store.ts';
import { limits } from '../../limits.ts';
import { findProposals } from './proposals.ts';

/** What changed in the store, told to the board that shows it. */
export interface Adoption {
	gates?: readonly StoredGate[];
	evacuation?: StoredEvacuation;
	dismissed?: string;
	/** A command that answered a proposal. */
	done?: { gate: string; zone: string; by: string } | undefined;
}

/** Gates and the evacuation as the store has them, in memory, and as screens see them. Never ahead of the store. */
export interface GateBoard {
	refresh(): Promise<void>;
	/** After the commit of a command on this instance. */
	adopt(change: Adoption): void;
	gates(): Gate[];
	/** One gate as it would be seen with this row, before it is committed. */
	view(stored: StoredGate, evacuation?: StoredEvacuation | null): Gate;
	evacuation(): EvacuationState;
	/** The evacuation as it would be seen with these rows, before they are committed. */
	viewEvacuation(next: StoredEvacuation, gates: readonly StoredGate[]): EvacuationState;
	proposals(): GateProposal[];
	properties(id: string): GateProperties | undefined;
}

export function createGateBoard(deps: {
	db: Db;
	clock: Clock;
	site: Site;
	zones: () => Zone[];
	mark: Mark;
}): GateBoard {
	const { db, clock, site, mark } = deps;
	const stored = new Map<string, StoredGate>();
	const properties = new Map(site.gates.map((gate) => [gate.id, gate]));
	/** Newest first, at most two. */
	let evacuations: StoredEvacuation[] = [];
	let dismissed = new Map<string, number>();
	const firstSeen = new Map<string, number>();

	const adoptGates = (rows: readonly StoredGate[]) => {
		for (const row of rows) {
			// A reading that began before a command here was committed comes after it.
			if (properties.has(row.id) && row.revision >= (stored.get(row.id)?.revision ?? 0))
				stored.set(row.id, row);
		}
	};
	const withNewest = (next: StoredEvacuation): StoredEvacuation[] =>
		[next, ...evacuations.filter(({ id }) => id !== next.id)].slice(0, 2);
	const zonesById = () => new Map(deps.zones().map((zone) => [zone.id, zone]));
	const viewWith = (
		row: StoredGate,
		newest: StoredEvacuation | null | undefined,
		zones: ReadonlyMap<string, Zone>
	): Gate => {
		const gate = properties.get(row.id)!;
		const isRunning = newest != null && !newest.ended;
		return viewGate(gate, row, {
			now: clock.now(),
			outside: crowdOutside(gate, zones, mark),
			evacuating: isRunning && reachOf(newest.scope, site).gates.includes(row.id),
			mark
		});
	};
	/** In file order. */
	const rowsOf = (rows: ReadonlyMap<string, StoredGate>) =>
		site.gates.flatMap(({ id }) => {
			const row = rows.get(id);
			return row ? [row] : [];
		});
	const gates = () => {
		const zones = zonesById();
		return rowsOf(stored).map((row) => viewWith(row, evacuations[0], zones));
	};

	return {
		async refresh() {
			const since = clock.now() - limits.gates.dismissMs;
			const rows = await listGates(db, site.id);
			const newest = await findNewestTwo(db, site.id);
			dismissed = await listDismissals(db, site.id, since);
			adoptGates(rows);
			if ((newest[0]?.version ?? 0) >= (evacuations[0]?.version ?? 0)) evacuations = newest;
		},
		adopt(change) {
			adoptGates(change.gates ?? []);
			if (change.evacuation && change.evacuation.version > (evacuations[0]?.version ?? 0))
				evacuations = withNewest(change.evacuation);
			if (change.dismissed !== undefined) dismissed.set(change.dismissed, clock.now());
		},
		gates,
		view: (row, evacuation = evacuations[0]) => viewWith(row, evacuation, zonesById()),
		evacuation: () =>
			viewEvacuation(evacuations[0] ?? null, evacuations[1] ?? null, { site, gates: gates(), mark }),
		viewEvacuation(next, rows) {
			const all = new Map([...stored, ...rows.map((row) => [row.id, row] as const)]);
			const zones = zonesById();
			const seen = rowsOf(all).map((row) => viewWith(row, next, zones));
			const [newest = null, before = null] = withNewest(next);
			return viewEvacuation(newest, before, { site, gates: seen, mark });
		},
		proposals() {
			const now = clock.now();
			const sinceOf = (id: string) => {
				const since = firstSeen.get(id) ?? now;
				firstSeen.set(id, since);
				return since;
			};
			const found = findProposals({
				...{ site, zones: deps.zones(), gates: gates(), dismissed, now, sinceOf, mark }
			});
			for (const id of firstSeen.keys())
				if (!found.some((proposal) => proposal.id === id)) firstSeen.delete(id);
			return found;
		},
		properties: (id) => properties.get(id)
	};
}
