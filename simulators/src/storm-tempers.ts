import { createBackoff } from '@marsad/server/contract';

/** When somebody whose connection broke tries again. */
export interface Return {
	/** The server named a window. */
	nameSpread(ms: unknown): void;
	/** It works from now on. */
	succeeded(): void;
	/** It broke or was refused. @returns ms until the next try */
	failed(retryAfterSeconds: number | null): number;
}

export interface ReturnDeps {
	now: () => number;
	random: () => number;
}

/** What the usual socket library does by itself: 1 s, doubled, at most 5 s, and clamped after the jitter. */
const library = { firstMs: 1_000, mostMs: 5_000, jitter: 0.5 };
const hammerMs = 300;

function likeTheLibrary({ random }: ReturnDeps): Return {
	let attempt = 0;
	return {
		nameSpread: () => undefined,
		succeeded: () => void (attempt = 0),
		failed() {
			const ms = library.firstMs * 2 ** Math.min(attempt++, 20);
			const drawn = random();
			const deviation = drawn * library.jitter * ms;
			return Math.min(library.mostMs, Math.floor(drawn * 10) % 2 === 0 ? ms - deviation : ms + deviation);
		}
	};
}

/** How people's pages come back; the first is ours. */
export const stormTempers = {
	obedient: { text: 'the back-off of the web, in the window that the server names', create: createBackoff },
	library: {
		text: 'ignores window and Retry-After, as the usual library does by itself',
		create: likeTheLibrary
	},
	hammering: {
		text: `tries again every ${hammerMs} ms, whatever it is told`,
		create: ({ random }: ReturnDeps): Return => ({
			nameSpread: () => undefined,
			succeeded: () => undefined,
			failed: () => hammerMs * (0.8 + 0.4 * random())
		})
	}
} as const satisfies Record<string, { text: string; create(deps: ReturnDeps): Return }>;
export type StormTemper = keyof typeof stormTempers;
