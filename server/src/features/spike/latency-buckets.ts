import type { RecordableHistogram } from 'node:perf_hooks';

/** Counts by bucket of latency, sparse: [bucket, count]. Merging is adding; percentiles are never averaged. */
export type LatencyBuckets = readonly (readonly [bucket: number, count: number])[];

/** Each bucket is 4 % wide: a percentile is right to 2 %. */
const growth = 1.04;
const firstMs = 0.1;
/** Values taken from the fine histogram of one second: exact up to so many bookings in it. */
const pointsMax = 100;

/** Bucket in which a latency falls. */
export function bucketOf(ms: number): number {
	return Math.max(0, Math.floor(Math.log(Math.max(ms, firstMs) / firstMs) / Math.log(growth)));
}

/** The latency a bucket stands for, ms (its geometric middle). */
export function latencyMsOf(bucket: number): number {
	return firstMs * growth ** (bucket + 0.5);
}

/** Buckets of one second from its fine histogram (microseconds). */
export function toBuckets(histogram: Pick<RecordableHistogram, 'count' | 'percentile'>): LatencyBuckets {
	const { count } = histogram;
	const points = Math.min(count, pointsMax);
	const counts = new Map<number, number>();
	for (let i = 0; i < points; i++) {
		// A little past the middle: the histogram rounds to the nearest count, and halves would fall either way.
		const bucket = bucketOf(histogram.percentile(((i + 0.6) / points) * 100) / 1_000);
		// The counts stay whole: the points share all of them.
		const share = Math.floor(((i + 1) * count) / points) - Math.floor((i * count) / points);
		counts.set(bucket, (counts.get(bucket) ?? 0) + share);
	}
	return [...counts];
}

/** Latency below which so many percent lie, ms; null without any. */
export function percentileMs(buckets: ReadonlyMap<number, number>, percent: number): number | null {
	let total = 0;
	for (const count of buckets.values()) total += count;
	if (total === 0) return null;
	const wanted = (percent / 100) * total;
	let seen = 0;
	let last = 0;
	for (const bucket of [...buckets.keys()].sort((a, b) => a - b)) {
		if (buckets.get(bucket)! <= 0) continue;
		seen += buckets.get(bucket)!;
		last = bucket;
		if (seen >= wanted - 1e-9) break;
	}
	return Math.round(latencyMsOf(last) * 10) / 10;
}
