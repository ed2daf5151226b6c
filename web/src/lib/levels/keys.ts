/** What a single key asks for on the levels screen. Keys are told by their place, so an Arabic layout works as well. */
export type LevelKey = { kind: 'look'; level: number } | { kind: 'not-now' } | { kind: 'reason' };

/** Null: the key means nothing here. Never asked while somebody types or holds a modifier. */
export function levelKey(code: string, levels: readonly number[]): LevelKey | null {
	const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
	if (digit !== undefined)
		return levels.includes(Number(digit)) ? { kind: 'look', level: Number(digit) } : null;
	if (code === 'Escape') return { kind: 'not-now' };
	return code === 'KeyR' ? { kind: 'reason' } : null;
}
