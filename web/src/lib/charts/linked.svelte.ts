import { SpikeHistory } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { feed } from '#lib/live/feed.svelte.ts';
import { settings } from '#lib/settings.svelte.ts';
import { columnsOf, type Columns } from '#lib/wall/trend.ts';
import { failureOf } from '#lib/words.ts';
import { stretchOf, type Range } from './scale.ts';

/** An earlier stretch of the same length, its times moved to lie under the present one. */
export interface Beside {
	columns: Columns;
	/** By how much it was moved, ms. */
	agoMs: number;
	/** What was read lies under the charts until then, epoch ms. */
	untilMs: number;
}

/** An earlier hour is read by the ten seconds: more points than pixels help nobody. */
const besideStepSeconds = 10;
/** The longest that the charts reach back, and how far ahead the earlier stretch is read: they move on over it. */
const besideReachMs = 3_600_000;

/** Charts that are looked at together: one cursor, one stretch of time, one earlier stretch beside them. */
export class LinkedCharts {
	/** Where somebody points, epoch ms; the same moment on every chart. */
	pointedAt = $state<number | null>(null);
	spanMs = $state(1_800_000);
	/** A stretch that somebody chose by hand. */
	zoom = $state.raw<Range | null>(null);
	/** How long ago the stretch beside them was; null: none. */
	besideMs = $state<number | null>(null);
	beside = $state.raw<Beside | null>(null);
	besideFailure = $state<string | null>(null);

	readonly range = $derived.by((): Range => {
		if (this.zoom) return this.zoom;
		return { from: feed.shownAt - this.spanMs, to: feed.shownAt };
	});

	/** Anything at all is kept of what lies beside the stretch that is shown. */
	readonly isBesideKnown = $derived.by(() => {
		const { columns } = this.beside ?? {};
		if (!columns) return false;
		const { from, to } = this.range;
		const isKnown = (i: number) => Object.values(columns.series).some((values) => values[i] !== null);
		return columns.at.some((at, i) => at >= from && at <= to && isKnown(i));
	});

	zoomTo(a: number, b: number): void {
		this.zoom = stretchOf(a, b) ?? this.zoom;
	}

	showSpan(ms: number): void {
		this.spanMs = ms;
		this.zoom = null;
	}

	/** Reads the earlier stretch again where the charts have moved past what was read. */
	keepBeside(): void {
		if (this.beside && feed.shownAt > this.beside.untilMs) void this.showBeside(this.besideMs);
	}

	/** Reads the earlier stretch; an answer that came too late for what is wanted now is let go. */
	async showBeside(agoMs: number | null): Promise<void> {
		this.besideMs = agoMs;
		this.beside = null;
		this.besideFailure = null;
		if (agoMs === null) return;
		const now = feed.shownAt;
		const untilMs = now + Math.min(agoMs, besideReachMs);
		const span = `from=${Math.floor(now - besideReachMs - agoMs)}&to=${Math.ceil(untilMs - agoMs)}`;
		const answer = await request(
			`/api/v1/spike/history?${span}&resolution=${besideStepSeconds}`,
			SpikeHistory
		);
		if (this.besideMs !== agoMs) return;
		if (answer.kind !== 'ok') {
			this.besideFailure = failureOf(answer, settings.locale);
			return;
		}
		const { at, series } = columnsOf(answer.body);
		this.beside = { agoMs, untilMs, columns: { at: at.map((time) => time + agoMs), series } };
	}
}
