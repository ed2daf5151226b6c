/** Text that every store takes: no U+0000, and no half of a surrogate pair that stands alone. */
export function isStorableText(text: string): boolean {
	return !text.includes('\0') && text.isWellFormed();
}

/** The same for every text inside a value as JSON gives it, keys included; bytes are no text yet. */
export function holdsStorableText(value: unknown): boolean {
	if (typeof value === 'string') return isStorableText(value);
	if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
	return Object.entries(value).every(([key, item]) => isStorableText(key) && holdsStorableText(item));
}

/**
 * Marks that turn the direction of what stands around them (embeddings, overrides, isolates), that nobody sees (zero
 * width, soft hyphen, tags), and control characters other than tab and new line. The joiners of scripts and the plain
 * direction marks are not among them.
 */
const strayMarks =
	/[\p{Cc}\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** Blank, or nothing that is seen. */
const unseen = /^[\s\p{Cf}]*$/u;

/** What a person wrote, without marks that would turn or hide it, and without blanks at its ends. */
export function tidyText(text: string): string {
	const tidy = text.replace(strayMarks, (mark) => (mark === '\n' || mark === '\t' ? mark : ''));
	return unseen.test(tidy) ? '' : tidy.trim();
}

/** Fields of commands that hold words of a person; all others are taken as they come. */
const wordFields: ReadonlySet<string> = new Set([
	...['reason', 'note', 'text', 'task', 'spot', 'name', 'ar', 'en']
]);

/** A command as JSON gave it, with {@link tidyText} over the words in it. */
export function tidyWords(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(tidyWords);
	if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [
			key,
			typeof item === 'string' && wordFields.has(key) ? tidyText(item) : tidyWords(item)
		])
	);
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
