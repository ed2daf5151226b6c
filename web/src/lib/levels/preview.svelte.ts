import { LevelPreview } from '@marsad/server/contract';
import { request, titleOf } from '#lib/api.ts';
import { m } from '#lib/paraglide/messages.js';
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
		this.failure =
			answer.kind === 'ok'
				? null
				: answer.kind === 'refused'
					? titleOf(answer.problem.code, settings.locale)
					: m.state_no_answer();
	}
}
