import { expect, it } from 'vitest';
import { createFormat } from '#lib/format.ts';
import { setLocale } from '#lib/paraglide/runtime.js';
import { saidClock } from './entry-words.ts';

const format = createFormat('en', 'Asia/Riyadh');
void setLocale('en', { reload: false });
const said = (offsetMs: number) =>
	saidClock({ offsetMs, uncertaintyMs: 50, state: 'skewed' }, format)?.replaceAll(/[\u2066-\u2069]/g, '');

it('says by how much a clock is off to the nearest unit: just below three hours is no two', () => {
	expect(said(10_799_998)).toContain('3 h');
	expect(said(-59_990)).toContain('1 min');
	expect(said(3_599_000)).toContain('1 h');
	expect(said(1_500)).toContain('1.5');
	expect(said(400)).toBeUndefined();
});
