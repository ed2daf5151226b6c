import type { EntryGap, GateProperties, Mark, Scanner } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TopicHandle } from '../../platform/realtime/hub.ts';
import { isHeard, type Sensors } from '../sensors/index.ts';
import type { Site } from '../site/index.ts';
import { countOpenConflicts } from './conflict-store.ts';
import { feedEntryAlarms, type AlarmDesk } from './entry-alarms.ts';
import { gapOf } from './entry-gap.ts';
import { listTotals, sumMinutes, type GateTotals } from './entry-store.ts';
import { listScanners, type EntryScope } from './scanner-store.ts';

export interface BoardDeps {
	db: Db;
	clock: Clock;
	site: Site;
	scope: EntryScope;
	topic: TopicHandle;
	sensors: Pick<Sensors, 'takeScans' | 'counted' | 'counters' | 'term' | 'isReady' | 'refresh'>;
	mark: Mark;
	/** Undefined until they are handed in. */
	alarms: () => AlarmDesk | undefined;
}

/**
 * Shows scanners and the gap, tells the alarms, and brings what was scanned to the counters of the site. All of it is
 * read from the store, as it stands now: whatever comes late corrects it and rings nothing of the past.
 */
export function createEntryBoard(deps: BoardDeps) {
	const { db, clock, site, scope, topic, sensors, mark } = deps;
	let scanners: Scanner[] = [];
	let shown = new Set<string>();
	/** Totals as they were last brought to the counters, and under which term. */
	let fed = new Map<string, GateTotals>();
	let fedTerm: number | null = null;

	const feedCounters = async () => {
		const term = sensors.term();
		if (term !== fedTerm) fed = new Map();
		fedTerm = term;
		const gates = site.gates.filter(({ scans }) => scans !== undefined);
		if (!sensors.isReady() || gates.length === 0) return;
		const totals = await listTotals(db, scope.season);
		for (const gate of gates) feedGate(gate, totals.get(gate.id));
	};
	const feedGate = ({ id, scans }: GateProperties, totals: GateTotals | undefined) => {
		const heardAt = Math.max(
			0,
			...scanners.filter(({ gate }) => gate === id).map(({ seenAt }) => seenAt ?? 0)
		);
		if (scans === undefined || heardAt === 0) return;
		const now = totals ?? { peopleIn: 0, peopleOut: 0, lateIn: 0, lateOut: 0 };
		const before = fed.get(id);
		fed.set(id, now);
		sensors.takeScans(scans, {
			...{ in: now.peopleIn, out: now.peopleOut, heardAt, simulated: mark === 'simulated' },
			// What came while nobody here looked is no flow of this moment either.
			late: before
				? { in: now.lateIn - before.lateIn, out: now.lateOut - before.lateOut }
				: { in: now.peopleIn, out: now.peopleOut }
		});
	};

	const gaps = async (): Promise<EntryGap[]> => {
		const gates = site.gates.filter(
			({ id, direction, counters }) =>
				direction === 'in' && ((counters ?? []).length > 0 || scanners.some(({ gate }) => gate === id))
		);
		if (gates.length === 0) return [];
		if (!sensors.isReady()) await sensors.refresh();
		const now = clock.now();
		const to = Math.floor(now / 60_000) * 60_000;
		const period = { from: to - limits.entries.gapWindowSeconds * 1_000, to };
		const scans = await sumMinutes(db, scope.season, period);
		const counted = await sensors.counted(
			gates.flatMap(({ counters }) => counters ?? []),
			period
		);
		return gates.map((gate) =>
			gapOf({
				gate: gate.id,
				authority: authorityOf(gate, site),
				scanners: scanners.filter((one) => one.gate === gate.id),
				scans: scans.get(gate.id),
				doors: (gate.counters ?? []).flatMap((id) => {
					const counter = sensors.counters.get(id);
					if (!counter) return [];
					const inwards = counter.properties.to === gate.zone;
					const people = counted.get(id)?.[inwards ? 'in' : 'out'] ?? 0;
					return [{ in: people, isHeard: isHeard(counter, now), heardAt: counter.state.heardAt }];
				}),
				...{ windowSeconds: limits.entries.gapWindowSeconds, mark }
			})
		);
	};

	const show = (values: ReadonlyMap<string, unknown>) => {
		for (const [key, value] of values) topic.set(key, value);
		for (const key of shown) if (!values.has(key)) topic.remove(key);
		shown = new Set(values.keys());
	};

	return {
		scanners: () => scanners,
		/** One round. */
		async look() {
			scanners = await listScanners(db, scope, clock.now());
			await feedCounters();
			const open = await countOpenConflicts(db, scope.season);
			const desk = deps.alarms();
			if (desk) feedEntryAlarms(desk, site.gates, open, scanners);
			show(
				new Map<string, unknown>([
					...scanners.filter(isShown).map((one) => [`scanner:${one.id}`, one] as const),
					...(await gaps()).map((gap) => [`gap:${gap.gate}`, gap] as const)
				])
			);
		}
	};
}

/** A revoked one is in the list of the administrator, and off the glass. */
const isShown = ({ state }: Scanner) => state !== 'revoked';

function authorityOf({ scans, counters }: GateProperties, site: Site): EntryGap['authority'] {
	const decides = (id: string) => site.counters.get(id)?.authority === true;
	if (scans !== undefined && decides(scans)) return 'scans';
	return (counters ?? []).some(decides) ? 'counters' : 'none';
}
