import type { Patch } from '../../../contract/index.ts';

type Fields = Record<string, unknown>;

const isPlain = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The same patch for screens that lay changed fields over what they have: of a zone that one more person entered, some
 * numbers instead of its names, capacities and signatures. Pure.
 * @param before what screens that are up to date show, as JSON text by key
 */
export function slimPatch(patch: Patch, before: ReadonlyMap<string, string>): Patch {
	const changes: [string, unknown][] = [];
	const parts: [string, Fields][] = [];
	for (const [key, value] of Object.entries(patch.changes)) {
		const fields = changedFields(before.get(key), value);
		if (fields) parts.push([key, fields]);
		else changes.push([key, value]);
	}
	if (parts.length === 0) return patch;
	// From entries: a key may have any name, also one that an assignment would take for something else.
	return { ...patch, changes: Object.fromEntries(changes), parts: Object.fromEntries(parts) };
}

/** Null: only the whole value says it. */
function changedFields(beforeText: string | undefined, value: unknown): Fields | null {
	if (beforeText === undefined || !isPlain(value)) return null;
	const before: unknown = JSON.parse(beforeText);
	if (!isPlain(before) || Object.keys(before).some((name) => !Object.hasOwn(value, name))) return null;
	const isNews = ([name, field]: [string, unknown]) =>
		!Object.hasOwn(before, name) || JSON.stringify(before[name]) !== JSON.stringify(field);
	return Object.fromEntries(Object.entries(value).filter(isNews));
}
