import { expect, it } from 'vitest';
import { loadSite } from '../site/index.ts';
import { prayerRuleOf } from './site-prayers.ts';

it('a site is in the middle of what is drawn, by Umm al-Qura, unless its file says otherwise', () => {
	const { file } = loadSite();
	const rule = prayerRuleOf(file);
	expect(rule).toMatchObject({ method: 'umm-al-qura', asr: 'shafi' });
	expect(rule.location.latitude).toBeCloseTo(24.9, 1);
	expect(rule.location.longitude).toBeCloseTo(46.3, 1);
	const own = {
		...file,
		marsad: { ...file.marsad, prayer: { method: 'turkey' as const, at: [29, 41] as [number, number] } }
	};
	expect(prayerRuleOf(own)).toEqual({
		...{ method: 'turkey', asr: 'shafi', location: { longitude: 29, latitude: 41 } }
	});
});
