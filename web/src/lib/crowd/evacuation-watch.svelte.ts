import { EvacuationState } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { feed } from '#lib/live/feed.svelte.ts';
import { session } from '#lib/session.svelte.ts';

const everyMs = 3_000;

/**
 * The evacuation in force for any staff screen. The control room hears it live; who is out on the site may not watch
 * that topic, and asks instead. What was heard last stands until something newer is heard: silence ends no evacuation.
 */
class EvacuationWatch {
	#asked = $state.raw<EvacuationState | null>(null);
	readonly state = $derived.by(() => {
		const live = feed.evacuation;
		if (!live || !this.#asked) return live ?? this.#asked;
		return this.#asked.version > live.version ? this.#asked : live;
	});

	/** Asks as long as nothing comes live; the returned function ends it. */
	start(): () => void {
		const ask = async () => {
			if (document.hidden || feed.evacuation !== null || !session.may('GET /api/v1/evacuation')) return;
			const answer = await request('/api/v1/evacuation', EvacuationState);
			if (answer.kind === 'ok') this.#asked = answer.body;
		};
		void ask();
		const timer = setInterval(() => void ask(), everyMs);
		return () => clearInterval(timer);
	}
}

export const evacuationWatch = new EvacuationWatch();
