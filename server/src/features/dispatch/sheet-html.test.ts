import { expect, it } from 'vitest';
import type { StateSheet } from '../../../contract/index.ts';
import { renderStateSheet } from './sheet-html.ts';

const sheet = (exercise: boolean): StateSheet => ({
	...{ at: 1_800_000_000_000, site: { ar: 'الموقع', en: 'Site' }, timeZone: 'Asia/Riyadh', mark: 'none' },
	level: { level: 2, name: { ar: 'ضغط', en: 'Pressure' }, since: 0, by: null, reason: null, exercise },
	...{ dispatches: [], incidents: [], alarms: [], zones: [], gates: [], teams: [] }
});

it('says on paper, in both languages, that the level is a drill', () => {
	const drill = renderStateSheet(sheet(true));
	expect(drill).toContain('Pressure · <b>EXERCISE</b>');
	expect(drill).toContain('ضغط · <b>تمرين</b>');
	expect(renderStateSheet(sheet(false))).not.toContain('EXERCISE');
});
