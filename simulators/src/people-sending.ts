/** Limits how many calls are under way at the same moment, and says how long each waited for its turn here. */
export interface SendGate {
	/** Resolves with the real milliseconds waited; null: waited too long, the call is not to be sent. */
	enter(): Promise<number | null>;
	leave(): void;
}

/**
 * First come, first served. A call that waits longer than `waitMaxMs` is given up: the generator could not send it,
 * which says nothing about the server.
 */
export function createSendGate(placesMax: number, waitMaxMs: number): SendGate {
	let inside = 0;
	let first = 0;
	let waiting: { sinceMs: number; go: (waitedMs: number | null) => void }[] = [];
	const letNext = () => {
		while (inside < placesMax && first < waiting.length) {
			const { sinceMs, go } = waiting[first++]!;
			const waitedMs = performance.now() - sinceMs;
			if (waitedMs > waitMaxMs) {
				go(null);
				continue;
			}
			inside += 1;
			go(waitedMs);
		}
		if (first === waiting.length) {
			waiting = [];
			first = 0;
		}
	};
	return {
		enter() {
			if (inside < placesMax && first === waiting.length) {
				inside += 1;
				return Promise.resolve(0);
			}
			return new Promise((go) => waiting.push({ sinceMs: performance.now(), go }));
		},
		leave() {
			inside -= 1;
			letNext();
		}
	};
}
