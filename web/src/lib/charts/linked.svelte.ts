import { SpikeHistory } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { clock } from '#lib/clock.svelte.ts';
import { settings } from '#lib/settings.svelte.ts';
import { columnsOf, type Columns } from '#lib/wall/trend.ts';
import { failureOf } from '#lib/words.ts';
import { stretchOf, type Range } from './scale.ts';

/** An earlier stretch of the same length, its times moved to lie under the present one. */
export interface Beside {
	columns: Columns;
	/** By how much it was moved, ms. */
	agoMs: number;
	/** Anything at all is kept of it. */
	isKnown: boolean;
}

/** An earlier hour is read by the ten seconds: more points than pixels help nobody. */
const besideStepSeconds = 10;

/** Charts that are looked at together: one cursor, one stretch of time, one freeze, one earlier stretch beside them. */
export class LinkedCharts {
	/** Where somebody points, epoch ms; the same moment on every chart. */
	pointedAt = $state<number | null>(null);
	spanMs = $state(1_800_000);
	/** A stretch that somebody chose by hand. */
	zoom = $state.raw<Range | null>(null);
	/** The moment at which the charts stand still; null while they move. */
	frozenAt = $state<number | null>(null);
	/** How long ago the stretch beside them was; null: none. */
	besideMs = $state<number | null>(null);
	beside = $state.raw<Beside | null>(null);
	besideFailure = $state<string | null>(null);

	readonly range = $derived.by((): Range => {
		if (this.zoom) return this.zoom;
		const to = this.frozenAt ?? clock.now;
		return { from: to - this.spanMs, to };
	});

	zoomTo(a: number, b: number): void {
		this.zoom = stretchOf(a, b) ?? this.zoom;
	}

	showSpan(ms: number): void {
		this.spanMs = ms;
		this.zoom = null;
	}

	freeze(): void {
		this.frozenAt = this.frozenAt === null ? clock.now : null;
		this.zoom = null;
	}

	/** Reads the earlier stretch; an answer that came too late for what is wanted now is let go. */
	async showBeside(agoMs: number | null): Promise<void> {
		this.besideMs = agoMs;
		this.beside = null;
		this.besideFailure = null;
		if (agoMs === null) return;
		const { from, to } = this.range;
		const span = `from=${Math.floor(from - agoMs)}&to=${Math.ceil(to - agoMs)}`;
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
		const isKnown = Object.values(series).some((values) => values.some((value) => value !== null));
		this.beside = { agoMs, isKnown, columns: { at: at.map((time) => time + agoMs), series } };
	}
}
