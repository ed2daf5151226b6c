import type { RecordableHistogram } from 'node:perf_hooks';

/** Counts by bucket of latency, sparse: [bucket, count]. Merging is adding; percentiles are never averaged. */
export type LatencyBuckets = readonly (readonly [bucket: number, count: number])[];

/** Each bucket is 4 % wide: a percentile is right to 2 %. */
const growth = 1.04;
const firstMs = 0.1;

/** Bucket in which a latency falls. */
export function bucketOf(ms: number): number {
	return Math.max(0, Math.floor(Math.log(Math.max(ms, firstMs) / firstMs) / Math.log(growth)));
}

/** The latency a bucket stands for, ms (its geometric middle). */
export function latencyMsOf(bucket: number): number {
	return firstMs * growth ** (bucket + 0.5);
}

/** Buckets of one second from its fine histogram (microseconds): every value is counted, in its own bucket. */
export function toBuckets(histogram: Pick<RecordableHistogram, 'count' | 'percentile'>): LatencyBuckets {
	const { count } = histogram;
	// A little before the rank: the histogram rounds to the nearest count, and halves would fall either way.
	const bucketAt = (rank: number) => bucketOf(histogram.percentile(((rank - 0.4) / count) * 100) / 1_000);
	const counts: [number, number][] = [];
	for (let first = 1; first <= count;) {
		const bucket = bucketAt(first);
		const last = lastOfBucket(bucket, first, count, bucketAt);
		counts.push([bucket, last - first + 1]);
		first = last + 1;
	}
	return counts;
}

/** The last rank in a bucket: strides that double, then halve, for most values lie in few buckets. */
function lastOfBucket(bucket: number, first: number, count: number, bucketAt: (rank: number) => number) {
	let last = first;
	let stride = 1;
	while (last + stride <= count && bucketAt(last + stride) === bucket) {
		last += stride;
		stride *= 2;
	}
	for (; stride >= 1; stride = Math.floor(stride / 2)) {
		if (last + stride <= count && bucketAt(last + stride) === bucket) last += stride;
	}
	return last;
}

/** All of them together, exactly: the same buckets, counts added. */
export function mergeBuckets(lists: readonly LatencyBuckets[]): LatencyBuckets {
	if (lists.length === 1) return lists[0]!;
	const counts = new Map<number, number>();
	for (const [bucket, count] of lists.flat()) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
	return [...counts].sort((a, b) => a[0] - b[0]);
}

/** Latencies below which so many percent lie (given in rising order), ms; null without any. */
export function percentilesMs(
	buckets: ReadonlyMap<number, number>,
	percents: readonly number[]
): (number | null)[] {
	let total = 0;
	for (const count of buckets.values()) total += count;
	if (total === 0) return percents.map(() => null);
	const filled = [...buckets].filter(([, count]) => count > 0).sort((a, b) => a[0] - b[0]);
	let index = 0;
	let seen = filled[0]![1];
	return percents.map((percent) => {
		const wanted = (percent / 100) * total - 1e-9;
		while (seen < wanted && index < filled.length - 1) seen += filled[++index]![1];
		return Math.round(latencyMsOf(filled[index]![0]) * 10) / 10;
	});
}

/** Latency below which so many percent lie, ms; null without any. */
export function percentileMs(buckets: ReadonlyMap<number, number>, percent: number): number | null {
	return percentilesMs(buckets, [percent])[0]!;
}
