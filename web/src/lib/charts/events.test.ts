import { describe, expect, it } from 'vitest';
import { chartEvents } from './events.ts';

describe('what stands on every chart', () => {
	it('is in order of time, whatever it is; of alarms the grave ones alone', () => {
		const events = chartEvents({
			levels: [
				{ at: 50, level: 1, exercise: false },
				{ at: 10, level: 0, exercise: true }
			],
			alarms: [
				{ id: 'a', priority: 'critical', raisedAt: 30 },
				{ id: 'b', priority: 'low', raisedAt: 20 }
			],
			deploys: [{ at: 40, build: 'x' }]
		});
		expect(events).toEqual([
			{ at: 10, kind: 'level', what: '0', exercise: true },
			{ at: 30, kind: 'alarm', what: 'a' },
			{ at: 40, kind: 'deploy', what: 'x' },
			{ at: 50, kind: 'level', what: '1' }
		]);
	});
});
