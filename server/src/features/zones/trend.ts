import type { Quality, Trend } from '../../../contract/index.ts';

/** One zone at one moment; `present` is null where nobody knew. */
export interface ZoneSample {
	zone: string;
	at: number;
	present: number | null;
	netPerMinute: number | null;
	quality: Quality;
}

export const trendStepSeconds = 10;
const stepMs = trendStepSeconds * 1_000;

/** The last hours of all zones, one column a step; a step without a sample is a gap, never 0. */
export interface TrendMemory {
	add(samples: readonly ZoneSample[]): void;
	/** Present and net inflow of one zone. */
	ofZone(zone: string, from: number): Trend;
	/** Present of every zone (by id), and `total`: the sum of what was known. */
	ofAll(from: number): Trend;
}

type Column = Map<string, ZoneSample>;

export function createTrendMemory(zones: readonly string[], keepMinutes: number): TrendMemory {
	const columns = new Map<number, Column>();

	const slots = (from: number): number[] => {
		const known = [...columns.keys()].filter((slot) => slot >= from);
		const [first, last] = [Math.min(...known), Math.max(...known)];
		return known.length === 0
			? []
			: Array.from({ length: (last - first) / stepMs + 1 }, (_, index) => first + index * stepMs);
	};
	const pick = <T>(from: number, read: (column: Column | undefined) => T) =>
		slots(from).map((slot) => read(columns.get(slot)));

	return {
		add(samples) {
			for (const sample of samples) {
				const slot = Math.floor(sample.at / stepMs) * stepMs;
				const column = columns.get(slot) ?? new Map<string, ZoneSample>();
				columns.set(slot, column.set(sample.zone, sample));
			}
			const oldest = Math.max(...columns.keys()) - keepMinutes * 60_000;
			for (const slot of columns.keys()) if (slot < oldest) columns.delete(slot);
		},
		ofZone: (zone, from) => ({
			stepSeconds: trendStepSeconds,
			at: slots(from),
			series: {
				present: pick(from, (column) => column?.get(zone)?.present ?? null),
				netInflowPerMinute: pick(from, (column) => column?.get(zone)?.netPerMinute ?? null)
			}
		}),
		ofAll: (from) => ({
			stepSeconds: trendStepSeconds,
			at: slots(from),
			series: {
				total: pick(from, sumOf),
				...Object.fromEntries(
					zones.map((zone) => [zone, pick(from, (column) => column?.get(zone)?.present ?? null)])
				)
			}
		})
	};
}

function sumOf(column: Column | undefined): number | null {
	const known = [...(column?.values() ?? [])].flatMap(({ present }) => (present === null ? [] : [present]));
	return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}
