import type { Progress } from '@marsad/server/contract';
import type { Answer } from './calls.ts';

/** Documents of a quiet opening, for the tests beside: each says what it changes. */
export function sampleProgress(change: Partial<Progress> = {}): Progress {
	return {
		room: 'main',
		epoch: 1,
		mode: 'open',
		issued: 1_000,
		released: 100,
		waiting: 900,
		ratePerSecond: 10,
		serverTime: 1_000_000,
		level: 0,
		joinsOpen: true,
		bookingOpen: true,
		pollFactor: 1,
		slowedBy: null,
		draw: null,
		mark: 'none',
		...change
	};
}

export function answered(status: number, body: unknown = null, retryAfterMs: number | null = null): Answer {
	return { status, body, retryAfterMs };
}

export const noAnswer = answered(0);
