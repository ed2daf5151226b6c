import type { View } from './view.ts';

/** Copies views onto the prepared page: only what differs is touched, so that focus and reading place stay. */
export interface Painter {
	/** `more` are texts of scripts that came later. */
	paint(view: View, more: Readonly<Record<string, string>>): void;
	announce(text: string): void;
}

/** `root` holds the sections that the build drew (`data-section`, `data-text`, `data-show`). */
export function createPainter(root: HTMLElement): Painter {
	const all = (name: string) => [...root.querySelectorAll<HTMLElement>(`[data-${name}]`)];
	const sections = all('section');
	const textElements = all('text');
	const shownElements = all('show');
	const buttons = [...root.querySelectorAll<HTMLButtonElement>('button[data-press]')];
	const bar = root.querySelector('progress')!;
	const live = root.querySelector<HTMLElement>('[role="status"]')!;
	let sectionShown = '';

	const showSection = (name: string) => {
		if (name === sectionShown) return;
		const first = sectionShown === '';
		const hadFocus = sections.some((section) => !section.hidden && section.contains(document.activeElement));
		for (const section of sections) section.hidden = section.dataset['section'] !== name;
		sectionShown = name;
		// Focus follows only where it would be lost: the person pressed something that is gone now.
		if (hadFocus && !first)
			sections
				.find((section) => !section.hidden)
				?.querySelector<HTMLElement>('h1')
				?.focus();
	};

	return {
		paint(view, more) {
			for (const element of textElements) {
				const name = element.dataset['text']!;
				const text = view.texts[name] ?? more[name] ?? '';
				if (element.textContent !== text) element.textContent = text;
				const box = element.closest<HTMLElement>('[data-if]') ?? element;
				if (box.hidden !== (text === '')) box.hidden = text === '';
			}
			for (const element of shownElements) element.hidden = !view.shown[element.dataset['show']!];
			bar.value = view.progress;
			for (const button of buttons) {
				button.disabled = button.dataset['press'] === 'join' ? view.joinDisabled : view.buttonsDisabled;
			}
			if (document.title !== view.title) document.title = view.title;
			showSection(view.section);
		},
		announce(text) {
			live.textContent = text;
		}
	};
}
