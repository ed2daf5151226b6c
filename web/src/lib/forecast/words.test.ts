import type { ForecastAccuracy, KeptForecast, RoomOutlook } from '@marsad/server/contract';
import { describe, expect, it } from 'vitest';
import { createFormat } from '#lib/format.ts';
import { setLocale } from '#lib/paraglide/runtime.js';
import { sayAccuracy, sayKept, sayOutlook } from './words.ts';

const format = createFormat('en', 'Asia/Riyadh');
const at = Date.parse('2026-02-18T18:00:00Z');
const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');
const outlook: RoomOutlook = {
	...{ emptiesAt: null, waitingMost: 9_000, waitingAtEnd: 6_120, oldestSecondsAtEnd: 600 },
	...{ waiting: [], admittedPerSecond: [] }
};
const none: ForecastAccuracy = {
	...{ judged: 0, waitingError: null, waitingShare: null, admittedError: null, waitingBias: null }
};
const kept: KeptForecast = {
	...{ at, reason: 'rate', until: at + 600_000, stepSeconds: 10, waiting: [], admittedPerSecond: [] },
	...{
		judgedAt: null,
		points: 0,
		waitingError: null,
		waitingShare: null,
		waitingBias: null,
		admittedError: null
	}
};

describe('a forecast in words', () => {
	void setLocale('en', { reload: false });

	it('says when the room is empty, or how many still wait', () => {
		expect(plain(sayOutlook({ ...outlook, emptiesAt: at }, at, format))).toContain('21:00');
		expect(plain(sayOutlook(outlook, at, format))).toMatch(/6,120.*21:00|21:00.*6,120/);
	});

	it('says how right it was, and that nothing was judged', () => {
		expect(sayAccuracy(none, format)).toMatch(/No forecast/);
		const judged = { ...none, judged: 12, waitingError: 240, waitingShare: 0.04 };
		expect(plain(sayAccuracy(judged, format))).toMatch(/12.*240.*4%/);
		expect(plain(sayAccuracy({ ...judged, waitingShare: null }, format))).not.toContain('%');
	});

	it('tells one that is not over from one that could not be judged', () => {
		expect(plain(sayKept(kept, format))).toContain('21:10');
		expect(sayKept({ ...kept, judgedAt: at }, format)).toMatch(/missing/);
		const judged = { ...kept, judgedAt: at, waitingError: 30, waitingShare: 0.1, waitingBias: -30 };
		expect(plain(sayKept(judged, format))).toMatch(/30.*10%.*fewer/i);
	});
});
