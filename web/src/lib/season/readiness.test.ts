import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readinessChecks, readinessReasons, readinessStates } from '@marsad/server/contract';
import { describe, expect, it } from 'vitest';
import { readinessLook, readinessPlaces } from './readiness.ts';

const file = (language: string) =>
	fileURLToPath(new URL(`../../../messages/${language}.json`, import.meta.url));

describe('readiness', () => {
	it.each(['ar', 'en'])(
		'has words for every check, what to do, every state and every reason in %s',
		(language) => {
			const words = JSON.parse(readFileSync(file(language), 'utf8')) as Record<string, string>;
			const key = (prefix: string, name: string) => `${prefix}_${name.replaceAll('-', '_')}`;
			for (const check of readinessChecks)
				for (const prefix of ['rdy_check', 'rdy_do'])
					expect(words[key(prefix, check)], check).toMatch(/\S{2}/);
			for (const state of readinessStates) expect(words[key('rdy_state', state)], state).toMatch(/\S{2}/);
			for (const reason of readinessReasons) expect(words[key('rdy_why', reason)], reason).toMatch(/\S{2}/);
		}
	);

	it('shows nothing as good but what evidence stands for', () => {
		expect(readinessStates.filter((state) => readinessLook(state) === 'good')).toEqual(['shown']);
		expect(readinessStates.filter((state) => readinessLook(state) === 'quiet')).toEqual(['not-needed']);
	});

	it('leads to a page that is there', () => {
		expect(Object.keys(readinessPlaces)).toEqual([...readinessChecks]);
		for (const place of Object.values(readinessPlaces)) {
			if (place === null) continue;
			const page = new URL(`../../routes/(staff)${place}/+page.svelte`, import.meta.url);
			expect(readFileSync(fileURLToPath(page), 'utf8').length).toBeGreaterThan(0);
		}
	});
});
