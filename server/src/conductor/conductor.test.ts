import { describe, expect, it } from 'vitest';
import { createTestClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { createConductor } from './conductor.ts';
import type { Decision } from './decide.ts';

describe('the conductor', () => {
	it('decides at once and then every second, and tells the parts in order', async () => {
		const clock = createTestClock();
		const conductor = createConductor({ clock, log: createLog('silent') });
		const heard: string[] = [];
		conductor.register({
			name: 'room',
			limits: () => [{ source: 'manager', perSecond: 40 }],
			tick: () => void heard.push('room')
		});
		conductor.register({
			name: 'levels',
			limits: () => [{ source: 'level', perSecond: 10 }],
			tick: (d: Decision) => void heard.push(`levels ${d.ratePerSecond}`)
		});
		conductor.start();
		await conductor.stop();
		expect(heard).toEqual(['room', 'levels 10']);
		expect(conductor.decision()).toMatchObject({ ratePerSecond: 10, limitedBy: 'level' });
	});

	it('goes on when one part fails, and never runs two turns at once', async () => {
		const clock = createTestClock();
		const conductor = createConductor({ clock, log: createLog('silent') });
		let running = 0;
		let most = 0;
		let release: () => void = () => {};
		conductor.register({ name: 'broken', tick: () => Promise.reject(new Error('no')) });
		conductor.register({
			name: 'slow',
			async tick() {
				most = Math.max(most, ++running);
				await new Promise<void>((resolve) => (release = resolve));
				running--;
			}
		});
		conductor.start();
		for (let i = 0; i < 5; i++) {
			clock.advance(1_000);
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(most).toBe(1);
		release();
		await conductor.stop();
	});
});
