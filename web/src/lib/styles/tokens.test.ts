import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function tokensOf(selector: string): Record<string, string> {
	const start = css.indexOf(`${selector} {`);
	const block = css.slice(start, css.indexOf('}', start));
	return Object.fromEntries(
		[...block.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!])
	);
}

function channels(hex: string): [number, number, number] {
	return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255) as [
		number,
		number,
		number
	];
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
	const [r, g, b] = channels(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
		number,
		number,
		number
	];
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
	const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
	return (light + 0.05) / (dark + 0.05);
}

/** Mix in sRGB: close enough to the oklab mix of the screens for a bound on contrast. */
function mix(over: string, under: string, share: number): string {
	const top = channels(over);
	return `#${channels(under)
		.map((c, i) =>
			Math.round((top[i]! * share + c * (1 - share)) * 255)
				.toString(16)
				.padStart(2, '0')
		)
		.join('')}`;
}

const palettes = {
	night: tokensOf(':root'),
	day: { ...tokensOf(':root'), ...tokensOf("[data-theme='day']") }
};

describe.each(Object.entries(palettes))('the %s palette', (_name, t) => {
	const token = (name: string) => {
		const value = t[name];
		if (!value) throw new Error(`no token ${name}`);
		return value;
	};

	test.each(['text', 'quiet', 'mark', 'critical', 'high', 'medium', 'low', 'stale'])(
		'%s is readable on the ground',
		(name) => {
			expect(contrast(token(name), token('ground'))).toBeGreaterThanOrEqual(4.5);
		}
	);
	test.each(['text', 'quiet', 'stale', 'medium', 'high', 'critical'])(
		'%s is readable on a raised ground',
		(name) => {
			expect(contrast(token(name), token('raised'))).toBeGreaterThanOrEqual(4.5);
		}
	);
	test.each(['critical', 'high', 'medium'])('text on a %s chip is readable', (name) => {
		expect(contrast(token('chip-text'), token(name))).toBeGreaterThanOrEqual(4.5);
	});
	test('a zone is readable however full it is', () => {
		for (const fill of ['z0', 'z1']) expect(contrast(token('text'), token(fill))).toBeGreaterThanOrEqual(4.5);
		for (const fill of ['critical', 'high', 'medium']) {
			expect(contrast(token('text'), mix(token(fill), token('ground'), 0.3))).toBeGreaterThanOrEqual(4.5);
		}
	});
	test('the value of an unknown zone is readable on both stripes of its hatch', () => {
		for (const stripe of ['z0', 'hatch']) {
			for (const name of ['medium', 'high', 'critical', 'text']) {
				expect(contrast(token(`plan-${name}`), token(stripe))).toBeGreaterThanOrEqual(4.5);
			}
		}
	});
	test('the main button is readable, and edges and focus part from the ground at 3 to 1', () => {
		expect(contrast(token('action-text'), token('action'))).toBeGreaterThanOrEqual(4.5);
		expect(contrast(token('edge'), token('ground'))).toBeGreaterThanOrEqual(3);
		expect(contrast(token('focus'), token('ground'))).toBeGreaterThanOrEqual(3);
	});
});
