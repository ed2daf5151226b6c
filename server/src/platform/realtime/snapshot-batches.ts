import type { LiveTopic } from '../../../contract/index.ts';
import type { Clock, StopTimer } from '../clock.ts';

/** Who asks first is answered at once; who asks right after that, together with the others. */
const togetherMs = 100;

/**
 * Snapshots for those who join. In a storm hundreds ask for the same state in the same second: it is put into words once
 * for all who asked within a tenth of it.
 */
export function createSnapshotBatches<T>(
	clock: Pick<Clock, 'elapsedMs' | 'setTimeout'>,
	send: (topic: LiveTopic, to: ReadonlySet<T>) => void
): { ask(topic: LiveTopic, one: T): void; forget(one: T, topic?: LiveTopic): void; stop(): void } {
	const waiting = new Map<LiveTopic, { sentMs: number; asked: Set<T>; stop: StopTimer | null }>();
	const flush = (topic: LiveTopic) => {
		const own = waiting.get(topic)!;
		const { asked } = own;
		Object.assign(own, { sentMs: clock.elapsedMs(), asked: new Set<T>(), stop: null });
		if (asked.size > 0) send(topic, asked);
	};
	return {
		ask(topic, one) {
			const own = waiting.get(topic) ?? { sentMs: -Infinity, asked: new Set<T>(), stop: null };
			waiting.set(topic, own);
			own.asked.add(one);
			if (own.stop) return;
			const waitMs = own.sentMs + togetherMs - clock.elapsedMs();
			if (waitMs <= 0) flush(topic);
			else own.stop = clock.setTimeout(() => flush(topic), waitMs);
		},
		forget(one, topic) {
			for (const [name, { asked }] of waiting) if (topic === undefined || name === topic) asked.delete(one);
		},
		stop() {
			for (const { stop } of waiting.values()) stop?.();
		}
	};
}
