/** How a piece of work ended, for the limit: `dropped` where it was too slow or turned away, `ignored` says nothing. */
export type WorkEnd = 'good' | 'dropped' | 'ignored';

/** A place among those that work at the same moment; `end` exactly once. */
export interface WorkPlace {
	end(how: WorkEnd): void;
}

/** How much may run at the same moment, found by trying: additive increase, multiplicative decrease. */
export interface AdaptiveLimit {
	/** Waits for a place; null when too many wait already. */
	enter(): Promise<WorkPlace | null>;
	/** A place now, or null. */
	tryEnter(): WorkPlace | null;
	/** Whole places at present. */
	limit(): number;
	running(): number;
	waiting(): number;
}

/**
 * Grows by one place for every round of good ends, only while at least half of the places are in use: a limit that
 * was never tried says nothing. Shrinks by `factor` on a drop, once for all that ran when it last shrank, so that a
 * single slow moment does not close it. Never below `min`, never above `max`.
 */
export function createAdaptiveLimit(options: {
	min: number;
	max: number;
	initial: number;
	waitingMax: number;
	/** What a drop leaves of the limit; 0.9 when not given. */
	factor?: number;
	onChange?: (limit: number) => void;
}): AdaptiveLimit {
	const factor = options.factor ?? 0.9;
	let exact = Math.min(options.max, Math.max(options.min, options.initial));
	let running = 0;
	/** Grows with every decrease: work that began before one cannot cause another. */
	let round = 0;
	const queue: ((place: WorkPlace) => void)[] = [];
	const places = () => Math.floor(exact);

	const set = (next: number) => {
		exact = Math.min(options.max, Math.max(options.min, next));
		options.onChange?.(places());
	};
	const learn = (how: WorkEnd, startedIn: number) => {
		if (how === 'dropped' && startedIn === round) {
			round += 1;
			set(exact * factor);
		} else if (how === 'good' && running * 2 >= places()) set(exact + 1 / exact);
	};
	const open = (): WorkPlace => {
		running += 1;
		const startedIn = round;
		let ended = false;
		return {
			end(how) {
				if (ended) return;
				ended = true;
				learn(how, startedIn);
				running -= 1;
				while (queue.length > 0 && running < places()) queue.shift()?.(open());
			}
		};
	};

	return {
		tryEnter: () => (running < places() ? open() : null),
		async enter() {
			if (running < places()) return open();
			if (queue.length >= options.waitingMax) return null;
			return new Promise((resolve) => queue.push(resolve));
		},
		limit: places,
		running: () => running,
		waiting: () => queue.length
	};
}
