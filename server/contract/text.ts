/** Text that every store takes: no U+0000, and no half of a surrogate pair that stands alone. */
export function isStorableText(text: string): boolean {
	return !text.includes('\0') && text.isWellFormed();
}

/** The same for every text inside a value as JSON gives it, keys included. */
export function holdsStorableText(value: unknown): boolean {
	if (typeof value === 'string') return isStorableText(value);
	if (typeof value !== 'object' || value === null) return true;
	return Object.entries(value).every(([key, item]) => isStorableText(key) && holdsStorableText(item));
}
