import { registry } from './registry.ts';

/** Blocks the thread, as in k6. */
export function sleep(seconds: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1_000);
}

/** Counts every named assertion in the metric `checks`. */
export function check<T>(value: T, checks: Record<string, (value: T) => boolean>): boolean {
	let allHold = true;
	for (const [name, holds] of Object.entries(checks)) {
		const ok = Boolean(holds(value));
		registry.rate('checks', ok);
		if (!ok) registry.failedChecks.push(name);
		allHold &&= ok;
	}
	return allHold;
}
