import type { ReadinessCheck, ReadinessState } from '@marsad/server/contract';

/** Where each check is put right; null where it is put down on the page itself, or nowhere yet. */
export const readinessPlaces: Readonly<Record<ReadinessCheck, string | null>> = {
	run: '/control/spike/runs',
	narrowest: '/control/spike/runs',
	'levels-drilled': '/control/levels',
	'external-limits': null,
	slots: '/control/crowd/slots',
	keys: '/control/admin/keys',
	scanners: '/control/crowd/entries',
	counters: '/control/crowd/sensors',
	messages: null,
	backup: null,
	warm: '/control/spike',
	orders: '/control/season',
	freeze: '/control/season',
	roster: '/control/season'
};

/** How a state is shown: what is not known is no better than what is not there. */
export function readinessLook(state: ReadinessState): 'good' | 'quiet' | 'high' | 'medium' {
	switch (state) {
		case 'shown':
			return 'good';
		case 'not-needed':
			return 'quiet';
		case 'unknown':
			return 'medium';
		default:
			return 'high';
	}
}
