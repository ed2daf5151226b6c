import type { Metrics } from '../../platform/metrics.ts';

/** Counters of what happened; gauges stand in the spike feature. */
export function countRounds(metrics: Metrics) {
	const people = metrics.counter(
		'marsad_waiting_room_people_total',
		'People who joined, were called, got the pass, missed the turn',
		['event']
	);
	const refused = metrics.counter('marsad_waiting_room_refusals_total', 'People turned away, by reason', [
		'reason'
	]);
	const languages = metrics.counter(
		'marsad_public_languages_total',
		'Joins by language of the page; not counted while a level has switched analytics off',
		['language']
	);
	return {
		language: (language: string) => languages.inc({ language }),
		round(report: { joined: number; called: number; admitted: number; missed: number }) {
			for (const event of ['joined', 'called', 'admitted', 'missed'] as const)
				people.inc({ event }, report[event]);
		},
		refused: (reason: string) => refused.inc({ reason })
	};
}
