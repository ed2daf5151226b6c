import { Trend, type Zone } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { appendPoint, columnsOf, noColumns, type Columns } from '#lib/wall/trend.ts';

export const zoneTrendMinutes = 60;

/** The people of one zone over the last hour: history from the server, live points behind it. */
export class ZoneHistory {
	columns = $state.raw<Columns>(noColumns);
	state = $state<'loading' | 'ready' | 'failed'>('loading');
	#stepMs = 5_000;
	#zone: string | null = null;

	async load(id: string): Promise<void> {
		if (this.#zone !== id) {
			this.columns = noColumns;
			this.state = 'loading';
		}
		this.#zone = id;
		const answer = await request(
			`/api/v1/zones/${encodeURIComponent(id)}/trend?minutes=${zoneTrendMinutes}`,
			Trend
		);
		if (this.#zone !== id) return;
		this.state = answer.kind === 'ok' ? 'ready' : 'failed';
		if (answer.kind !== 'ok') return;
		this.#stepMs = Math.max(1_000, answer.body.stepSeconds * 1_000);
		this.columns = columnsOf(answer.body);
	}

	/** Adds the newest value; an unknown one is nothing, not 0. */
	note(zone: Zone, now: number): void {
		if (zone.id !== this.#zone || this.state !== 'ready') return;
		const options = {
			everyMs: this.#stepMs,
			gapMs: Math.max(60_000, this.#stepMs * 3),
			keepMs: zoneTrendMinutes * 60_000
		};
		this.columns = appendPoint(this.columns, now, { present: zone.present }, options);
	}
}
