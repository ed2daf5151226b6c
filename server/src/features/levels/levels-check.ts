import { Compile } from 'typebox/compile';
import {
	LevelsFile,
	flagNames,
	protectedFeatures,
	type LevelEntry,
	type LevelRule
} from '../../../contract/index.ts';

/** A levels file that can be used, or why it cannot: one sentence a fault. */
export type LevelsCheck = { ok: true; file: LevelsFile } | { ok: false; faults: string[] };

const levelsFile = Compile(LevelsFile);
/** Above this level somebody else must agree, whatever the file says. */
const twoPeopleFrom = 3;
const lastLevel = 4;
const known: ReadonlySet<string> = new Set(flagNames);

/** Reads a parsed levels file with all its rules, and explains everything that is wrong with it at once. */
export function checkLevels(value: unknown): LevelsCheck {
	const faults = protectedFaults(value);
	if (!levelsFile.Check(value)) return { ok: false, faults: [...faults, ...schemaFaults(value)] };
	faults.push(
		...orderFaults(value.levels),
		...flagFaults(value.levels),
		...peopleFaults(value.levels),
		...capFaults(value.levels),
		...switchFaults(value),
		...value.rules.flatMap((rule, index) => ruleFaults(rule, index, value))
	);
	return faults.length === 0 ? { ok: true, file: value } : { ok: false, faults };
}

function schemaFaults(value: unknown): string[] {
	return levelsFile.Errors(value).map((error) => {
		const unknownNames = (error.params as { additionalProperties?: string[] }).additionalProperties;
		const where = readablePath(error.instancePath);
		return unknownNames
			? `${where} has the unknown member ${unknownNames.map(quote).join(', ')}`
			: `${where} ${error.message}`;
	});
}

function readablePath(pointer: string): string {
	const parts = pointer.split('/').slice(1);
	if (parts.length === 0) return 'the file';
	return parts.reduce(
		(text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : text ? `${text}.${part}` : part),
		''
	);
}

/** Looks at the raw lists, before and beside the schema: this fault must be told whatever else is wrong. */
function protectedFaults(value: unknown): string[] {
	const file = value as { levels?: unknown; switches?: unknown } | null;
	const levels = Array.isArray(file?.levels) ? file.levels : [];
	const switches: unknown[] = Array.isArray(file?.switches) ? file.switches : [];
	return [
		...levels.flatMap((entry: { level?: unknown; off?: unknown } | null, index) => {
			const off: unknown[] = Array.isArray(entry?.off) ? entry.off : [];
			return off.flatMap((name) => protectedFault(name, `level ${String(entry?.level ?? index)} names`));
		}),
		...switches.flatMap((entry) =>
			protectedFault((entry as { flag?: unknown } | null)?.flag, 'switches names')
		)
	];
}

function protectedFault(name: unknown, who: string): string[] {
	const feature = typeof name === 'string' && !known.has(name) ? protectedNear(name) : null;
	if (!feature) return [];
	const meant = feature === name ? '' : ` (that is ${quote(feature)})`;
	return [`${who} ${quote(String(name))}${meant}: no level may touch it`];
}

/** Words about flags that there are, once each. */
function switchFaults({ switches = [] }: LevelsFile): string[] {
	return switches.flatMap(({ flag }, index) => {
		if (!known.has(flag))
			return protectedNear(flag) ? [] : [`switches names the unknown flag ${quote(flag)}${suggestion(flag)}`];
		const first = switches.findIndex((other) => other.flag === flag);
		return first < index ? [`switches names ${quote(flag)} twice`] : [];
	});
}

/** The protected feature that a name is, contains, or nearly spells; null when it is none. */
export function protectedNear(name: string): string | null {
	const plain = letters(name);
	let best: { feature: string; distance: number } | null = null;
	for (const feature of protectedFeatures) {
		const target = letters(feature);
		const allowed = Math.min(2, Math.floor(target.length / 4));
		const distance = plain === target ? 0 : plain.includes(target) ? 0.5 : editDistance(plain, target);
		if (distance <= allowed && (!best || distance < best.distance)) best = { feature, distance };
	}
	return best?.feature ?? null;
}

function letters(text: string): string {
	return text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, i) => i);
	for (let i = 1; i <= a.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= b.length; j += 1) {
			next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
		}
		row = next;
	}
	return row[b.length]!;
}

function orderFaults(levels: readonly LevelEntry[]): string[] {
	const order = levels.map((entry) => entry.level).join(', ');
	const faults =
		order === '0, 1, 2, 3, 4' ? [] : [`the levels must stand in the order 0, 1, 2, 3, 4; they are ${order}`];
	const normal = levels.find((entry) => entry.level === 0);
	if (normal && (normal.off.length > 0 || normal.rateCap !== undefined || normal.twoPeople)) {
		faults.push('level 0 is normal: it switches nothing off, caps nothing and needs no second person');
	}
	return faults;
}

function flagFaults(levels: readonly LevelEntry[]): string[] {
	const firstAt = new Map<string, number>();
	return levels.flatMap(({ level, off }) =>
		off.flatMap((flag) => {
			if (!known.has(flag))
				return protectedNear(flag)
					? []
					: [`level ${level} names the unknown flag ${quote(flag)}${suggestion(flag)}`];
			const earlier = firstAt.get(flag);
			if (earlier === undefined) {
				firstAt.set(flag, level);
				return [];
			}
			const why =
				earlier === level
					? 'it stands there twice'
					: `level ${earlier} already switches it off, and levels are cumulative`;
			return [`level ${level} names ${quote(flag)} again: ${why}`];
		})
	);
}

function suggestion(name: string): string {
	const plain = letters(name);
	const near = flagNames.find((flag) => editDistance(letters(flag), plain) <= 2);
	return near ? `: did you mean ${quote(near)}?` : '';
}

function peopleFaults(levels: readonly LevelEntry[]): string[] {
	return levels
		.filter((entry) => entry.level >= twoPeopleFrom && !entry.twoPeople)
		.map((entry) => `level ${entry.level} must need two people: twoPeople must be true`);
}

function capFaults(levels: readonly LevelEntry[]): string[] {
	const faults: string[] = [];
	let lower: { level: number; cap: number } | null = null;
	for (const { level, rateCap } of levels) {
		if (rateCap === undefined) continue;
		if (rateCap === 0)
			faults.push(
				`level ${level} caps the rate at 0: switch ${quote('releases')} off instead, which keeps every place and says so`
			);
		if (lower && rateCap > lower.cap) {
			faults.push(
				`level ${level} caps the rate at ${rateCap}, above the ${lower.cap} of level ${lower.level}: a cap may not rise with the level`
			);
		}
		lower = { level, cap: rateCap };
	}
	return faults;
}

/** The values a signal can take at all. */
const ranges: Record<LevelRule['signal'], { max: number; is: string }> = {
	'booking-p95-ms': { max: 600_000, is: 'milliseconds' },
	'pool-wait-ms': { max: 600_000, is: 'milliseconds' },
	'work-ratio': { max: 10, is: 'a ratio' },
	'error-share': { max: 1, is: 'a share from 0 to 1' }
};
/** Which side of its threshold is the bad one. */
const badSide: Record<LevelRule['signal'], LevelRule['op']> = {
	'booking-p95-ms': 'above',
	'pool-wait-ms': 'above',
	'error-share': 'above',
	'work-ratio': 'below'
};

function ruleFaults(rule: LevelRule, index: number, { rules, levels }: LevelsFile): string[] {
	const twoPeople = levels.some((entry) => entry.level === rule.level && entry.twoPeople);
	const name = `rule ${index + 1} (${rule.signal})`;
	const faults: string[] = [];
	const { max, is } = ranges[rule.signal];
	for (const key of ['threshold', 'clear'] as const) {
		if (!(rule[key] > 0 && rule[key] <= max)) faults.push(`${name}: ${key} is ${is}, ${rule[key]} cannot be`);
	}
	if (rule.op !== badSide[rule.signal]) {
		faults.push(`${name} trips when the signal is ${rule.op} ${rule.threshold}: that is its good side`);
	}
	const clears = rule.op === 'above' ? rule.clear < rule.threshold : rule.clear > rule.threshold;
	if (!clears) {
		const side = rule.op === 'above' ? 'below' : 'above';
		faults.push(
			`${name}: clear (${rule.clear}) must lie ${side} the threshold (${rule.threshold}), or the level would flap`
		);
	}
	if (rule.level === 0)
		faults.push(
			`${name} leads to level 0: going down is proposed by clear and clearForSeconds, not by a rule`
		);
	faults.push(...armedFaults(rule, name, twoPeople));
	const twin = rules.findIndex((other) => other.signal === rule.signal && other.level === rule.level);
	if (twin < index)
		faults.push(`${name} says again what rule ${twin + 1} says: one rule for each signal and level`);
	return faults;
}

/** What a rule may do by itself: where two people are needed, only as a break-glass, and never the last level. */
function armedFaults({ mode, level, breakGlass }: LevelRule, name: string, twoPeople: boolean): string[] {
	if (mode !== 'armed') return breakGlass ? [`${name} only proposes: breakGlass is for armed rules`] : [];
	if (level === lastLevel)
		return [`${name} is armed for level ${level}: that is for people alone, it can only propose`];
	if (twoPeople && !breakGlass)
		return [
			`${name} is armed for level ${level}, which needs two people: it can only propose, or say breakGlass, and everybody is paged when it acts`
		];
	return !twoPeople && breakGlass ? [`${name} breaks no glass: level ${level} needs one person alone`] : [];
}

function quote(text: string): string {
	return `"${text}"`;
}
