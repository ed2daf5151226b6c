import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { flagNames, protectedFeatures, type LevelsFile } from '../../../contract/index.ts';
import { checkLevels, protectedNear } from './levels-check.ts';
import { LevelsFileError, loadLevels } from './levels-file.ts';
import { effectOf, needsSecondPerson } from './levels-plan.ts';

let written: LevelsFile;
beforeAll(async () => {
	written = await loadLevels();
});

interface DraftLevel {
	level: number;
	name?: { ar?: string; en?: string };
	off: string[];
	rateCap?: number;
	twoPeople: boolean;
	onn?: string[];
}
interface DraftRule {
	signal: string;
	op: string;
	threshold: number;
	clear: number;
	level: number;
	mode: string;
}
/** A levels file in which anything may be wrong. */
interface Draft {
	version: number;
	levels: [DraftLevel, DraftLevel, DraftLevel, DraftLevel, DraftLevel];
	switches: { flag: string }[];
	rules: [DraftRule, DraftRule, DraftRule];
}
type Change = (file: Draft) => unknown;

/** The default file with one thing changed. */
function changed(change: Change): unknown {
	const copy = structuredClone(written) as unknown as Draft;
	change(copy);
	return copy;
}
function faultsOf(change: Change): string[] {
	const check = checkLevels(changed(change));
	return check.ok ? [] : check.faults;
}

describe('the levels that come with the product', () => {
	it('are the five of the plan, with the names of the glossary', () => {
		expect(written.levels.map(({ name }) => name.ar)).toEqual([
			'طبيعي',
			'إيقاف الكماليات',
			'حماية',
			'الأساسيات فقط',
			'التحقق من التصاريح فقط'
		]);
		expect(written.levels.map(({ twoPeople }) => twoPeople)).toEqual([false, false, false, true, true]);
	});

	it('carry the written rules: p95 above two seconds for five minutes, and the kill line of the work ratio', () => {
		expect(written.rules).toMatchObject([
			{ signal: 'booking-p95-ms', op: 'above', threshold: 2_000, forSeconds: 300, level: 2 },
			{ signal: 'work-ratio', op: 'below', threshold: 0.95, forSeconds: 120, level: 2 },
			{ signal: 'work-ratio', op: 'below', threshold: 0.6, level: 3 }
		]);
	});

	it('are cumulative: at 3 nobody joins or is released, at 4 booking and the queue clocks stand still', () => {
		expect([...effectOf(written, 0).off]).toEqual([]);
		expect(effectOf(written, 1)).toMatchObject({ rateCapPerSecond: null });
		expect(effectOf(written, 2).off.has('images')).toBe(true);
		expect(effectOf(written, 2).rateCapPerSecond).toBeGreaterThan(0);
		expect([...effectOf(written, 3).off]).toEqual(
			expect.arrayContaining(['joins', 'releases', 'change-slot'])
		);
		expect(effectOf(written, 3).off.has('booking')).toBe(false);
		expect(effectOf(written, 4).off).toEqual(new Set(flagNames));
		expect(effectOf(written, 4).rateCapPerSecond).toBe(effectOf(written, 2).rateCapPerSecond);
	});

	it('ask for a second person on the way up to 3 and 4, never on the way down', () => {
		expect([1, 2, 3, 4].map((to) => needsSecondPerson(written, 0, to))).toEqual([false, false, true, true]);
		expect(needsSecondPerson(written, 3, 4)).toBe(true);
		expect([3, 2, 1, 0].map((to) => needsSecondPerson(written, 4, to))).toEqual([false, false, false, false]);
	});
});

describe('the checker of levels files', () => {
	it('refuses a protected feature wherever and however a level names it', () => {
		const spellings = [
			...protectedFeatures,
			'permit_display',
			'Gate-Verification',
			'permitDisplay',
			'PERMIT DISPLAY',
			'gate_verification_v2',
			'permit-dispay',
			'saftey-messages',
			'cancel-booking',
			'Cancel',
			'ｃａｎｃｅｌ'
		];
		for (const name of spellings) {
			for (const level of [1, 2, 3, 4] as const) {
				const faults = faultsOf((file) => file.levels[level].off.push(name));
				expect(faults, name).toHaveLength(1);
				expect(faults[0]).toContain(`level ${level} names "${name}"`);
				expect(faults[0]).toContain('no level may touch it');
			}
		}
	});

	it('tells of a protected feature even in a file that is broken otherwise', () => {
		const faults = faultsOf((file) => {
			file.levels[2].off.push('cancel');
			delete file.levels[2].name;
		});
		expect(faults.join('\n')).toContain('no level may touch it');
		expect(faults.join('\n')).toContain('levels[2]');
	});

	it('knows no switch that is protected', () => {
		for (const flag of flagNames) expect(protectedNear(flag), flag).toBeNull();
	});

	it.each<[string, Change, RegExp]>([
		['a missing level', (file) => file.levels.pop(), /^levels must not have fewer than 5 items/],
		['levels out of order', (file) => file.levels.reverse(), /order 0, 1, 2, 3, 4; they are 4, 3, 2, 1, 0/],
		['a level twice', (file) => (file.levels[1].level = 2), /they are 0, 2, 2, 3, 4/],
		['a level that is none', (file) => (file.levels[4].level = 5), /^levels\[4\]\.level must be <= 4/],
		['an unknown member', (file) => (file.levels[1].onn = []), /^levels\[1\] has the unknown member "onn"/],
		[
			'a missing Arabic name',
			(file) => delete file.levels[1].name?.ar,
			/^levels\[1\]\.name must have required properties ar/
		],
		['another version', (file) => (file.version = 2), /^version must be equal to constant/],
		[
			'an unknown flag',
			(file) => file.levels[1].off.push('imges'),
			/level 1 names the unknown flag "imges": did you mean "images"\?/
		],
		[
			'a flag named again',
			(file) => file.levels[3].off.push('images'),
			/level 3 names "images" again: level 1 already/
		],
		[
			'a flag twice in one level',
			(file) => file.levels[3].off.push('joins'),
			/level 3 names "joins" again: it stands there twice/
		],
		['something off in normal', (file) => file.levels[0].off.push('images'), /level 0 is normal/],
		['a lone person at 3', (file) => (file.levels[3].twoPeople = false), /level 3 must need two people/],
		['a lone person at 4', (file) => (file.levels[4].twoPeople = false), /level 4 must need two people/],
		[
			'a cap that rises',
			(file) => (file.levels[3].rateCap = 101),
			/level 3 caps the rate at 101, above the 100 of level 2/
		],
		['a negative cap', (file) => (file.levels[2].rateCap = -1), /^levels\[2\]\.rateCap must be >= 0/],
		['a cap of nothing', (file) => (file.levels[2].rateCap = 0), /level 2 caps the rate at 0/],
		[
			'a rule that cannot clear',
			(file) => (file.rules[0].clear = 2_000),
			/rule 1 \(booking-p95-ms\): clear \(2000\) must lie below/
		],
		[
			'a ratio that clears below',
			(file) => (file.rules[2].clear = 0.5),
			/clear \(0.5\) must lie above the threshold \(0.6\)/
		],
		[
			'a rule the wrong way round',
			(file) => Object.assign(file.rules[2], { op: 'above', clear: 0.5 }),
			/that is its good side/
		],
		['a rule to normal', (file) => (file.rules[0].level = 0), /leads to level 0/],
		[
			'an armed rule for two people',
			(file) => (file.rules[2].mode = 'armed'),
			/armed for level 3, which needs two people/
		],
		[
			'an armed rule for the last level',
			(file) => Object.assign(file.rules[2], { mode: 'armed', level: 4, breakGlass: true }),
			/armed for level 4: that is for people alone/
		],
		[
			'a rule that breaks a glass where there is none',
			(file) => Object.assign(file.rules[0], { mode: 'armed', breakGlass: true }),
			/breaks no glass: level 2 needs one person alone/
		],
		[
			'a glass that nobody is there to break',
			(file) => Object.assign(file.rules[2], { breakGlass: true }),
			/only proposes: breakGlass is for armed rules/
		],
		[
			'words about a flag that is none',
			(file) => (file.switches[0]!.flag = 'imagse'),
			/switches names the unknown flag "imagse": did you mean "images"/
		],
		[
			'words about a flag twice',
			(file) => file.switches.push({ ...file.switches[0]! }),
			/switches names "images" twice/
		],
		[
			'a level for a role that may not press any',
			(file) => Object.assign(file.levels[1], { mayPress: ['viewer'] }),
			/levels\[1\]\.mayPress/
		],
		[
			'a share above one',
			(file) => Object.assign(file.rules[0], { signal: 'error-share', threshold: 5 }),
			/a share from 0 to 1, 5 cannot be/
		],
		[
			'the same rule twice',
			(file) => file.rules.push({ ...file.rules[0] }),
			/rule 4 .* says again what rule 1 says/
		],
		['an unknown signal', (file) => (file.rules[0].signal = 'moon'), /^rules\[0\]\.signal/]
	])('explains %s', (_name, change, sentence) => {
		expect(faultsOf(change).join('\n')).toMatch(new RegExp(sentence.source, 'm'));
	});

	it('lets no file, whatever it names, switch off what is protected; and knows no flag for it', () => {
		const name = fc.oneof(fc.constantFrom(...protectedFeatures, ...flagNames), fc.string());
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), name), { maxLength: 6 }), (added) => {
				const check = checkLevels(
					changed((file) => {
						for (const [level, flag] of added) file.levels[level as 1].off.push(flag);
					})
				);
				if (!check.ok) return;
				const { off } = effectOf(check.file, 4);
				for (const feature of protectedFeatures) expect(off.has(feature)).toBe(false);
				for (const flag of off) expect(flagNames).toContain(flag);
			})
		);
	});

	it('tells all faults at once, and never throws whatever the file holds', () => {
		const faults = faultsOf((file) => {
			file.levels[3].twoPeople = false;
			file.levels[1].off.push('nothing-known');
			file.rules[0].level = 0;
		});
		expect(faults).toHaveLength(3);
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(checkLevels(value).ok).toBe(false);
				expect(
					checkLevels({ version: 1, levels: [value, { off: value }, { off: [value] }], rules: value }).ok
				).toBe(false);
			})
		);
	});

	it('names the file in each line, also when it cannot be read', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'marsad-levels-'));
		const file = path.join(folder, 'levels.json');
		await expect(loadLevels(file)).rejects.toThrow(`levels file ${file}: it cannot be read`);
		await writeFile(file, '{"version": 1,');
		await expect(loadLevels(file)).rejects.toThrow(LevelsFileError);
		await writeFile(file, JSON.stringify(changed((value) => value.levels[4].off.push('permit_display'))));
		const error = await loadLevels(file).catch((reason: unknown) => reason as LevelsFileError);
		expect((error as LevelsFileError).faults).toEqual([
			`levels file ${file}: level 4 names "permit_display" (that is "permit-display"): no level may touch it`
		]);
		await rm(folder, { recursive: true });
	});
});
