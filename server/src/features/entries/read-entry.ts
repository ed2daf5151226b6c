import { createHash } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { CountEntry, PermitEntry, type Entry, type SetAsideCode } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

/** An entry that can be stored, with the hash that tells a repeat from another one. */
export interface ReadEntry {
	index: number;
	entry: Entry;
	contentSha256: Buffer;
}

/** An entry that was set aside; `key` tells it from others of the scanner. */
export interface SetAside {
	index: number;
	seq: number | null;
	code: SetAsideCode;
	key: string;
	content: string;
}

const isPermitEntry = Compile(PermitEntry);
const isCountEntry = Compile(CountEntry);

/** Looks at one entry of a batch by itself. Never throws: what is wrong with it is its own affair. */
export function readEntry(
	raw: unknown,
	index: number,
	gate: string
): { good: ReadEntry } | { aside: SetAside } {
	const kind = typeof raw === 'object' && raw !== null ? (raw as { kind?: unknown }).kind : undefined;
	const isShaped = kind === 'count' ? isCountEntry.Check(raw) : isPermitEntry.Check(raw);
	if (!isShaped) return { aside: setAside(raw, index, 'bad_shape') };
	const entry = raw as Entry;
	if (entry.gate !== gate) return { aside: setAside(raw, index, 'other_gate') };
	if (contradictsItself(entry)) return { aside: setAside(raw, index, 'contradicts_itself') };
	return { good: { index, entry, contentSha256: hashOf(entry) } };
}

/** @returns the same entry set aside, because its number belongs to another one */
export function asReused({ entry, index }: ReadEntry): SetAside {
	return setAside(entry, index, 'seq_reused');
}

function setAside(raw: unknown, index: number, code: SetAsideCode): SetAside {
	const content = JSON.stringify(raw) ?? 'null';
	const seq = seqOf(raw);
	const digest = createHash('sha256').update(content).digest('hex').slice(0, 32);
	return {
		...{ index, seq, code },
		key: `${seq ?? 'none'} ${digest}`,
		content: withoutText(raw, content).slice(0, limits.entries.setAsideCharsMax)
	};
}

/** What a permit says of a person is not kept, also not of one that is no permit. */
function withoutText(raw: unknown, content: string): string {
	if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return content;
	const { text: _text, ...rest } = raw as Record<string, unknown>;
	return JSON.stringify(rest);
}

function seqOf(raw: unknown): number | null {
	const seq = typeof raw === 'object' && raw !== null ? (raw as { seq?: unknown }).seq : undefined;
	return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : null;
}

function contradictsItself(entry: Entry): boolean {
	if (entry.kind === 'count') return false;
	const { verdict, cause, people, permit, flags = [], party } = entry;
	if (party && people > party.of) return true;
	// A supervisor's hand is noted beside the red verdict that it overrules.
	if (verdict === 'red') return cause === undefined || (people > 0 && !flags.includes('supervisor'));
	return people === 0 || cause !== undefined || (verdict === 'green' && permit === undefined);
}

/** By content and not by how it was written: the order of members does not matter. */
function hashOf(entry: Entry): Buffer {
	const sorted = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(sorted);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value)
				.sort(([a], [b]) => (a < b ? -1 : 1))
				.map(([key, item]) => [key, sorted(item)])
		);
	};
	return createHash('sha256')
		.update(JSON.stringify(sorted(entry)))
		.digest();
}
