/** Cumulative people into and out of a zone at a moment. */
export interface FlowSample {
	at: number;
	in: number;
	out: number;
}

/** People per second over a stretch of time. */
export interface FlowRate {
	in: number;
	out: number;
}

/** The newest samples of a zone's flow, one a second. */
export interface FlowWindow {
	push(sample: FlowSample): void;
	/** Mean over the newest `seconds`; over less while less is known, null below a third of it. */
	rate(seconds: number): FlowRate | null;
	clear(): void;
}

/** Zones are looked at more often than that while there is news: one sample a second is enough, less a timer's jitter. */
const sampleEveryMs = 900;

/** Holds enough for `longestSeconds`; older samples are forgotten. */
export function createFlowWindow(longestSeconds: number): FlowWindow {
	let samples: FlowSample[] = [];
	return {
		push(sample) {
			const last = samples.at(-1);
			if (last && sample.at - last.at < sampleEveryMs) return;
			samples.push(sample);
			const oldest = sample.at - (longestSeconds + 5) * 1_000;
			// Thrown away in lumps: shifting one at a time would move the whole array each second.
			const kept = samples.findIndex(({ at }) => at >= oldest);
			if (kept > 60) samples = samples.slice(kept);
		},
		rate(seconds) {
			const newest = samples.at(-1);
			if (!newest) return null;
			const from = newest.at - seconds * 1_000;
			const start = samples.find(({ at }) => at >= from);
			const elapsedSeconds = start ? (newest.at - start.at) / 1_000 : 0;
			if (!start || elapsedSeconds < seconds / 3) return null;
			return { in: (newest.in - start.in) / elapsedSeconds, out: (newest.out - start.out) / elapsedSeconds };
		},
		clear: () => void (samples = [])
	};
}
