import { LevelPreview } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { failureOf } from '#lib/words.ts';
import { settings } from '#lib/settings.svelte.ts';

/** What the server says of a switch before it is made: whom it concerns, and who may press. */
export class PreviewLoader {
	/** The last answer for the level that is looked at; null before there is one. */
	value = $state.raw<LevelPreview | null>(null);
	/** Why there is no newer one, in words. */
	failure = $state<string | null>(null);
	#asked = 0;

	/** Another level's answer is thrown away; an older one of the same level stays, with its age. */
	async load(level: number): Promise<void> {
		if (this.value?.level !== level) this.value = null;
		const mine = ++this.#asked;
		const answer = await request(`/api/v1/levels/preview?level=${level}`, LevelPreview);
		if (mine !== this.#asked) return;
		if (answer.kind === 'ok') this.value = answer.body;
		this.failure = failureOf(answer, settings.locale);
	}
}
