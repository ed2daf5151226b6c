import type { View } from './view.ts';

/** Copies views onto the prepared page: only what differs is touched, so that focus and reading place stay. */
export interface Painter {
	paint(view: View): void;
	announce(text: string): void;
}

/** `root` holds the sections that the build drew (`data-section`, `data-text`, `data-part`). */
export function createPainter(root: HTMLElement, onSlot: (slot: number) => void): Painter {
	const part = <E extends HTMLElement>(name: string) => root.querySelector<E>(`[data-part="${name}"]`)!;
	const sections = [...root.querySelectorAll<HTMLElement>('[data-section]')];
	const textElements = [...root.querySelectorAll<HTMLElement>('[data-text]')];
	const slotList = part('slots');
	const qr = part<HTMLImageElement>('qr');
	const door = part('door');
	const live = part('live');
	let slotsDrawn = '';
	let sectionShown = '';

	const showSection = (name: string) => {
		if (name === sectionShown) return;
		const first = sectionShown === '';
		const hadFocus = sections.some((section) => !section.hidden && section.contains(document.activeElement));
		for (const section of sections) section.hidden = section.dataset.section !== name;
		sectionShown = name;
		// Focus follows only where it would be lost: the person pressed something that is gone now.
		if (hadFocus && !first)
			sections
				.find((section) => !section.hidden)
				?.querySelector<HTMLElement>('h1')
				?.focus();
	};

	const drawSlots = (view: View) => {
		const text = JSON.stringify(view.slots);
		if (text === slotsDrawn || view.section !== 'choosing') return;
		slotsDrawn = text;
		const focused = (document.activeElement as HTMLElement | null)?.dataset.slot;
		slotList.replaceChildren(...slotElements(view));
		if (focused) slotList.querySelector<HTMLElement>(`[data-slot="${focused}"]`)?.focus();
		part('no-slots').hidden = view.slots.length > 0;
	};

	slotList.addEventListener('click', (event) => {
		const button = (event.target as Element).closest<HTMLElement>('[data-slot]');
		if (button && button.getAttribute('aria-disabled') !== 'true') onSlot(Number(button.dataset.slot));
	});

	return {
		paint(view) {
			for (const element of textElements) {
				const text = view.texts[element.dataset.text!] ?? '';
				if (element.textContent !== text) element.textContent = text;
				const box = element.closest<HTMLElement>('[data-if]') ?? element;
				if (box.hidden !== (text === '')) box.hidden = text === '';
			}
			setText(part('notice-text'), view.notice);
			setText(part('retry'), view.retry);
			part('notice').hidden = view.notice === '';
			part('mark').hidden = !view.simulated;
			part<HTMLProgressElement>('progress').value = view.progress;
			for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-press]')) {
				button.disabled = button.dataset.press === 'join' ? view.joinDisabled : view.buttonsDisabled;
			}
			door.hidden = false;
			drawSlots(view);
			qr.hidden = view.qr === '';
			const source = view.qr && `data:image/svg+xml,${encodeURIComponent(view.qr)}`;
			if (source && qr.src !== source) qr.src = source;
			if (document.title !== view.title) document.title = view.title;
			showSection(view.section);
		},
		announce(text) {
			live.textContent = text;
		}
	};
}

function setText(element: HTMLElement, text: string): void {
	if (element.textContent !== text) element.textContent = text;
}

/** Days as headings, their slots as buttons. A full one stays reachable, so that it can be read. */
function slotElements(view: View): HTMLElement[] {
	const elements: HTMLElement[] = [];
	let day = '';
	let list: HTMLElement | null = null;
	for (const slot of view.slots) {
		if (slot.day !== day || !list) {
			day = slot.day;
			list = make('ul', 'slots');
			elements.push(make('h2', '', day), list);
		}
		const button = make('button', 'slot');
		button.setAttribute('type', 'button');
		button.dataset.slot = String(slot.id);
		if (slot.disabled) button.setAttribute('aria-disabled', 'true');
		if (slot.working) button.setAttribute('aria-busy', 'true');
		button.append(make('b', '', slot.hours), make('span', '', slot.place), make('span', 'left', slot.left));
		const item = make('li');
		item.append(button);
		list.append(item);
	}
	return elements;
}

function make(tag: string, className = '', text = ''): HTMLElement {
	const element = document.createElement(tag);
	if (className) element.className = className;
	if (text) element.textContent = text;
	return element;
}
