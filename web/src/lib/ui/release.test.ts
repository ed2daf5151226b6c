import { describe, expect, it } from 'vitest';
import { swallowRelease } from './release.ts';

function listen() {
	const target = new EventTarget();
	const heard: string[] = [];
	swallowRelease(target as Window);
	for (const type of ['click', 'keydown', 'keyup']) {
		target.addEventListener(type, (event) => !event.defaultPrevented && heard.push(type));
	}
	const send = (type: string, values: object = {}) =>
		target.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), values));
	return { heard, send };
}

describe('what a finger does when it leaves a button that has acted', () => {
	it('clicks nothing that lies under it by then, and the next touch counts', () => {
		const { heard, send } = listen();
		send('pointerup');
		send('click');
		expect(heard).toEqual([]);
		send('pointerdown');
		send('click');
		expect(heard).toEqual(['click']);
	});

	it('presses nothing by a key that is still down, and the next press counts', () => {
		const { heard, send } = listen();
		send('keydown', { repeat: true });
		send('keyup');
		expect(heard).toEqual([]);
		send('keydown', { repeat: false });
		send('keyup');
		expect(heard).toEqual(['keydown', 'keyup']);
	});
});
