import { Trend } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { clock } from '#lib/clock.svelte.ts';
import { feed } from '#lib/live/feed.svelte.ts';
import { findAbnormal } from './abnormal.ts';
import { createSteadyList } from './steady.ts';
import { p95LimitMs } from './figures.ts';
import { appendPoint, columnsOf, noColumns, secondsAbove, type Columns } from './trend.ts';

const keepMinutes = 60;

/** The queue's history and the list of what is abnormal, shared by the screens of the control room. */
class Watch {
	trend = $state.raw<Columns>(noColumns);
	#stepMs = 1_000;

	readonly p95AboveSeconds = $derived(secondsAbove(this.trend, 'p95Ms', p95LimitMs));
	readonly abnormal = $derived(
		findAbnormal({
			now: clock.now,
			link: feed.link,
			lostSince: feed.lostSince,
			spike: feed.spike,
			zones: feed.zones,
			total: feed.total,
			levels: feed.levels,
			p95AboveSeconds: this.p95AboveSeconds
		})
	);

	readonly #steady = createSteadyList();
	/** The same list for eyes: a line stays long enough to be seen twice, and says when it is over. */
	readonly shown = $derived(this.#steady(this.abnormal, clock.now));

	/** Reads the history again: at the start, and after each return of the link, to fill the hole. */
	async load(): Promise<void> {
		const answer = await request(`/api/v1/spike/trend?minutes=${keepMinutes}`, Trend);
		if (answer.kind !== 'ok') return;
		this.#stepMs = Math.max(1_000, answer.body.stepSeconds * 1_000);
		this.trend = columnsOf(answer.body);
	}

	/** Adds the newest second behind the history. */
	note(): void {
		const now = feed.spike;
		if (!now) return;
		this.trend = appendPoint(
			this.trend,
			now.at,
			{
				joinedPerSecond: now.room.joinedPerSecond,
				admittedPerSecond: now.room.admittedPerSecond,
				depth: now.room.depth,
				workRatio: now.work.ratio,
				roomRatio: now.room.ratio,
				p95Ms: now.booking.p95Ms,
				ratePerSecond: now.rate.perSecond,
				servedPerSecond: now.work.served / 60,
				offeredPerSecond: now.work.offered / 60,
				level: now.level
			},
			{ everyMs: this.#stepMs, gapMs: Math.max(15_000, this.#stepMs * 3), keepMs: keepMinutes * 60_000 }
		);
	}
}

export const watch = new Watch();
