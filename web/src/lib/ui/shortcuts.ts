/** Where a shortcut leads. Keys are told by their place (`event.code`), so an Arabic layout works as well. */
export type ShortcutAction = { kind: 'go'; href: string } | { kind: 'freeze' };

const after: Record<string, string> = {
	KeyC: '/control',
	KeyL: '/control/levels',
	KeyW: '/control/crowd',
	KeyS: '/control/spike',
	KeyN: '/control/season',
	KeyA: '/control/alarms',
	KeyD: '/control/dispatch'
};
const pairWithinMs = 1_500;

export interface KeyPress {
	code: string;
	at: number;
	/** Any of Ctrl, Alt, Meta: the browser's and the reader's own shortcuts are left alone. */
	hasModifier: boolean;
	isTyping: boolean;
}

/** Reads key presses; returns what a completed shortcut asks for. Never while somebody types. */
export function createShortcuts() {
	let startedAt = -Infinity;
	return (press: KeyPress): ShortcutAction | null => {
		if (press.hasModifier || press.isTyping) {
			startedAt = -Infinity;
			return null;
		}
		const isSecond = press.at - startedAt <= pairWithinMs;
		startedAt = press.code === 'KeyG' ? press.at : -Infinity;
		if (isSecond && after[press.code]) return { kind: 'go', href: after[press.code]! };
		return press.code === 'KeyF' ? { kind: 'freeze' } : null;
	};
}

/** Whether a key press goes into a text. */
export function isTypingInto(target: EventTarget | null): boolean {
	return (
		target instanceof HTMLElement &&
		(target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
	);
}
