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

/** A name or number that keeps its place and direction in a line of the other script (U+2068, U+2069). */
export function isolate(text: string): string {
	return `\u2068${text}\u2069`;
}

/** What is said, and of what: "Plaza 5 · 87 % full". One of them alone where it says the other. */
export function titleOfSubject(title: string, subject: string): string {
	if (subject === '' || title.includes(subject)) return title;
	return subject.includes(title) ? subject : `${isolate(subject)} · ${title}`;
}
