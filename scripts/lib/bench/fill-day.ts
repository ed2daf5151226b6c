import type pg from 'pg';
import { bucketOf } from '../../../server/src/features/spike/latency-buckets.ts';

/** A second as the server kept it. */
interface StoredSecond {
	season: string;
	room: string;
	sample: {
		at: number;
		room: Record<string, number>;
		work: Record<string, unknown> & { outcomes: Record<string, number> };
	};
}

const rowsAtOnce = 2_000;
/** A busy second: so many bookings, of latencies that scatter over some forty buckets. */
const bookingsPerSecond = 400;

/**
 * Fills the store with one-second samples up to `to` (epoch ms), in the shape of the newest that the server itself wrote.
 * @throws Error when it has written none
 */
export async function fillSeconds(client: pg.Client, seconds: number, to: number): Promise<void> {
	const { rows } = await client.query<StoredSecond>(
		'select season, room, sample from spike_samples where step = 1 order by at desc limit 1'
	);
	const [last] = rows;
	if (!last) throw new Error('the server keeps no seconds');
	// Its own few seconds would be a second instance of the same time.
	await client.query('delete from spike_samples');
	for (let done = 0; done < seconds; done += rowsAtOnce) {
		const count = Math.min(rowsAtOnce, seconds - done);
		const ats = Array.from({ length: count }, (_, index) => to - (seconds - done - index - 1) * 1_000);
		await client.query(
			`insert into spike_samples (season, room, step, instance, at, sample)
			select $1, $2, 1, 'bench', to_timestamp(at / 1000.0), sample
			from unnest($3::double precision[], $4::jsonb[]) as rows (at, sample)`,
			[last.season, last.room, ats, ats.map((at) => JSON.stringify(secondLike(last.sample, at)))]
		);
	}
	await client.query('analyze spike_samples');
}

function secondLike(sample: StoredSecond['sample'], at: number): StoredSecond['sample'] {
	const turn = (at / 1_000) % 97;
	const latency = new Map<number, number>();
	for (let n = 0; n < 40; n++) {
		const bucket = bucketOf(20 + ((turn * 31 + n * 53) % 400));
		latency.set(bucket, (latency.get(bucket) ?? 0) + bookingsPerSecond / 40);
	}
	return {
		...sample,
		at,
		room: { ...sample.room, joined: 500 + turn, admitted: bookingsPerSecond, depth: 20_000 + turn * 100 },
		work: {
			...sample.work,
			offered: bookingsPerSecond,
			served: bookingsPerSecond,
			latency: [...latency],
			outcomes: { ...sample.work.outcomes, booked: bookingsPerSecond }
		}
	};
}
