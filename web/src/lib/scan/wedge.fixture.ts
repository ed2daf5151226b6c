import type { Wedge } from './wedge.ts';

const shifts: Record<string, string> = {
	$: 'Digit4',
	'%': 'Digit5',
	'*': 'Digit8',
	'+': 'Equal',
	':': 'Semicolon'
};
const plain: Record<string, string> = { ' ': 'Space', '-': 'Minus', '.': 'Period', '/': 'Slash' };

/** The keys that a wedge reader presses for a text, on a keyboard of the United States. */
export function keysFor(text: string): { code: string; shiftKey: boolean }[] {
	const letters = [...text].map((letter) => {
		if (/[A-Z]/.test(letter)) return { code: `Key${letter}`, shiftKey: true };
		if (/[0-9]/.test(letter)) return { code: `Digit${letter}`, shiftKey: false };
		return shifts[letter]
			? { code: shifts[letter], shiftKey: true }
			: { code: plain[letter] ?? 'Unidentified', shiftKey: false };
	});
	return [...letters, { code: 'Enter', shiftKey: false }];
}

/** @returns what the wedge made of it */
export function typeAsReader(wedge: Wedge, text: string, everyMs = 5): string | null {
	let at = 0;
	let read: string | null = null;
	for (const key of keysFor(text)) {
		if (key.shiftKey) wedge.press({ code: 'ShiftLeft', shiftKey: true, at: (at += 1), isCommand: false });
		read = wedge.press({ ...key, at: (at += everyMs), isCommand: false }).text ?? read;
	}
	return read;
}
