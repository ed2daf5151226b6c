/** In front of a part that may fail: while too much of it fails, nobody is let through but a few who try. */
export interface Breaker {
	/** Null: not now. Else say once how it went; null says nothing (refused for another reason). */
	enter(): ((ok: boolean | null) => void) | null;
	figures(): {
		state: 'closed' | 'half-open' | 'open';
		/** Of the last window; null while nothing was tried. */
		failureShare: number | null;
	};
}

export interface BreakerOptions {
	/** It opens when more than this share failed in the last window, of at least so many. */
	failureShare: number;
	windowMs: number;
	least: number;
	/** It stays open for so long; then so many try at a time, and all of them must succeed. */
	openMs: number;
	probes: number;
	/** A try that has not said by then how it went is taken for failed. */
	probeMs: number;
}

const cells = 60;

/** Failures in a sliding window of sixty cells. The window begins anew when it closes. */
export function createBreaker(options: BreakerOptions, elapsedMs: () => number): Breaker {
	const cellMs = options.windowMs / cells;
	const window = Array.from({ length: cells }, () => ({ cell: -1, tried: 0, failed: 0 }));
	let openedMs: number | null = null;
	/** Tries of this half-open time: when each began, and whether it has succeeded. */
	let probes: { sinceMs: number; ok: boolean }[] = [];

	const note = (ok: boolean) => {
		const cell = Math.floor(elapsedMs() / cellMs);
		const own = window[cell % cells]!;
		if (own.cell !== cell) Object.assign(own, { cell, tried: 0, failed: 0 });
		own.tried += 1;
		if (!ok) own.failed += 1;
	};
	const sum = () => {
		const oldest = Math.floor(elapsedMs() / cellMs) - cells + 1;
		const known = window.filter(({ cell }) => cell >= oldest);
		return {
			tried: known.reduce((total, { tried }) => total + tried, 0),
			failed: known.reduce((total, { failed }) => total + failed, 0)
		};
	};
	const open = () => {
		openedMs = elapsedMs();
		probes = [];
	};
	const close = () => {
		openedMs = null;
		probes = [];
		for (const own of window) Object.assign(own, { cell: -1, tried: 0, failed: 0 });
	};
	const state = (): 'closed' | 'half-open' | 'open' => {
		if (openedMs === null) return 'closed';
		if (probes.some(({ ok, sinceMs }) => !ok && elapsedMs() - sinceMs >= options.probeMs)) open();
		return elapsedMs() - openedMs < options.openMs ? 'open' : 'half-open';
	};
	const once = (say: (ok: boolean | null) => void) => {
		let said = false;
		return (ok: boolean | null) => {
			if (!said) say(ok);
			said = true;
		};
	};
	const judge = (ok: boolean | null) => {
		// What began before it opened says nothing about now.
		if (ok === null || openedMs !== null) return;
		note(ok);
		const { tried, failed } = sum();
		if (tried >= options.least && failed > tried * options.failureShare) open();
	};

	return {
		enter() {
			const now = state();
			if (now === 'open') return null;
			if (now === 'closed') return once(judge);
			if (probes.length >= options.probes) return null;
			const probe = { sinceMs: elapsedMs(), ok: false };
			probes.push(probe);
			return once((ok) => {
				if (!probes.includes(probe)) return;
				if (ok === false) return open();
				if (ok === null) return void probes.splice(probes.indexOf(probe), 1);
				probe.ok = true;
				if (probes.length >= options.probes && probes.every((one) => one.ok)) close();
			});
		},
		figures() {
			const { tried, failed } = sum();
			return { state: state(), failureShare: tried === 0 ? null : failed / tried };
		}
	};
}
