import { profileFacts, type Narrowest, type RunProfile } from '@marsad/server/contract';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { local } from '#lib/site.svelte.ts';
import { duration, partWord, wordOf } from '#lib/words.ts';
import type { Difference } from './verdict.ts';

/** "B · The five stages". */
export function profileWord(profile: RunProfile): string {
	const { letter, names } = profileFacts[profile];
	return `${isolate(letter)} · ${local(names)}`;
}

/** A figure with its unit; a figure that nobody knows is said to be one. */
export function figureWord(value: number | null, unit: Difference['unit'], format: Format): string {
	if (value === null) return m.quality_unknown();
	if (unit === 'ms') return m.run_seconds_short({ n: isolate(format.secondsOf(value)) });
	if (unit === 'seconds') return duration(value, format);
	if (unit === 'rate') return m.run_per_second({ n: isolate(format.rate(value)) });
	if (unit === 'share') return isolate(m.run_share({ n: format.oneDigit(value * 100) }));
	return isolate(unit === 'ratio' ? format.ratio(value) : format.count(value));
}

/** The narrowest part in one sentence, and the admission rate that it suggests. */
export function narrowestWord(narrowest: Narrowest | null, format: Format): string {
	if (!narrowest) return m.run_narrowest_none();
	if (narrowest.part === 'admission') return m.run_narrowest_admission();
	const part =
		narrowest.part === 'queue'
			? m.run_part_queue_named({ name: isolate(partWord(narrowest.id)) })
			: wordOf('run_part', narrowest.part);
	const most = figureWord(narrowest.mostPerSecond, 'rate', format);
	const suggested = figureWord(narrowest.suggestedPerSecond, 'rate', format);
	return m.run_narrowest_is({ part, most, suggested });
}
