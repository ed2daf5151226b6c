import { phaseSpans, type RunMark, type RunParameters } from '../../../contract/index.ts';
import { backlogsOf, type RecoveryReading } from './backlogs.ts';
import type { RunSecond } from './run-seconds.ts';

/** The moments that matter, in the order of the written plan; null: it did not happen, or nobody knows. */
export function marksOf(
	seconds: readonly RunSecond[],
	parameters: RunParameters,
	recovery: RecoveryReading
): { mark: RunMark; second: number | null }[] {
	const spans = phaseSpans(parameters);
	const first = (holds: (second: RunSecond) => boolean) => seconds.find(holds)?.second ?? null;
	const [room] = backlogsOf(seconds);
	const most = Math.max(0, ...(room?.depths.map((depth) => depth ?? 0) ?? []));
	const instances = seconds.find(({ server }) => server?.instances)?.server?.instances ?? 1;
	const ifReached = (second: number) => (second < seconds.length ? second : null);
	const at: Record<RunMark, number | null> = {
		'spike-begins': ifReached(spans.baseline.to),
		'hold-begins': ifReached(spans.hold.from),
		'first-refusal': first(
			({ generator }) => (generator?.refused429 ?? 0) + (generator?.refused503 ?? 0) > 0
		),
		'first-fault': first(({ generator }) => (generator?.faults ?? 0) > 0),
		'first-504': first(({ generator }) => (generator?.timeout504 ?? 0) > 0),
		'held-by-health': first(
			({ server, second }) => second > spans.baseline.to && server?.limitedBy === 'health'
		),
		scaled: first(({ server }) => (server?.instances ?? 0) > instances),
		'load-drops': ifReached(spans.hold.to),
		'most-waiting': most > 0 && room ? room.depths.findIndex((depth) => depth === most) + 1 : null,
		'last-queue-empty': recovery.lastQueueEmpty,
		'capacity-back': recovery.capacityBack,
		recovered: recovery.recovered
	};
	return (Object.keys(at) as RunMark[]).map((mark) => ({ mark, second: at[mark] }));
}
