import { PressForecast, type PressForecastQuery } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { settings } from '#lib/settings.svelte.ts';
import { failureOf } from '#lib/words.ts';

/** What the model expects of a press that is being looked at. */
export class ForecastLoader {
	/** The last answer for the press in question; null before there is one. */
	value = $state.raw<PressForecast | null>(null);
	failure = $state<string | null>(null);
	#asked = 0;
	#for = '';

	/** Another press's answer is thrown away; an older one of the same stays, with its age. */
	async load(query: PressForecastQuery): Promise<void> {
		const asked = query.kind === 'rate' ? `perSecond=${query.perSecond}` : `level=${query.level}`;
		const text = `kind=${query.kind}&${asked}`;
		if (this.#for !== text) this.value = null;
		this.#for = text;
		const mine = ++this.#asked;
		const answer = await request(`/api/v1/forecast/press?${text}`, PressForecast);
		if (mine !== this.#asked) return;
		if (answer.kind === 'ok') this.value = answer.body;
		this.failure = failureOf(answer, settings.locale);
	}
}
