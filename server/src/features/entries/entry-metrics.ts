import type { Metrics } from '../../platform/metrics.ts';
import type { Taken } from './take-batch.ts';

/** What came of batches, entries and calls; nothing in a label tells one scanner or person from another. */
export function createEntryMetrics(metrics: Metrics) {
	const entries = metrics.counter('marsad_entries_total', 'Entries of scanners by outcome', ['outcome']);
	const conflicts = metrics.counter(
		'marsad_entry_conflicts_total',
		'Conflicts between entries of one permit'
	);
	const refusals = metrics.counter(
		'marsad_entry_calls_refused_total',
		'Calls of scanners that were refused',
		['why']
	);
	return {
		taken(taken: Taken) {
			entries.inc({ outcome: 'stored' }, taken.stored.length);
			entries.inc({ outcome: 'repeated' }, taken.repeated.length);
			for (const { code } of taken.setAside) entries.inc({ outcome: code });
			conflicts.inc(taken.conflicts.length);
		},
		refused: (why: 'unknown' | 'revoked' | 'too-fast' | 'full') => refusals.inc({ why })
	};
}
