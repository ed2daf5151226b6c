import type { Static, TSchema } from 'typebox';
import { request } from '#lib/api.ts';
import { clock } from '#lib/clock.svelte.ts';
import { settings } from '#lib/settings.svelte.ts';
import { failureOf } from '#lib/words.ts';

/** What is asked for again and again: its last answer stays, with its age, when the next one does not come. */
export class Polled<S extends TSchema> {
	body = $state.raw<Static<S> | null>(null);
	/** Server time of the last answer; null: there was none. */
	at = $state<number | null>(null);
	/** Why the last call came to nothing, in words. */
	failure = $state<string | null>(null);
	readonly #path: string;
	readonly #schema: S;
	readonly #everyMs: (body: Static<S> | null) => number;

	/** @param everyMs how long until it is asked again, by what is known */
	constructor(path: string, schema: S, everyMs: (body: Static<S> | null) => number) {
		this.#path = path;
		this.#schema = schema;
		this.#everyMs = everyMs;
	}

	/** So old that somebody should be told: two more answers should have come meanwhile. */
	isOld(now: number): boolean {
		return this.at !== null && now - this.at > 3 * this.#everyMs(this.body) + 5_000;
	}

	async load(): Promise<void> {
		const answer = await request(this.#path, this.#schema);
		if (answer.kind === 'ok') {
			this.body = answer.body;
			this.at = clock.now;
		}
		this.failure = failureOf(answer, settings.locale);
	}

	/** Asks until the returned function is called; a hidden tab asks nothing. */
	start(): () => void {
		let timer: ReturnType<typeof setTimeout> | undefined;
		let isOver = false;
		const round = async () => {
			clearTimeout(timer);
			if (!document.hidden) await this.load();
			if (!isOver) timer = setTimeout(() => void round(), this.#everyMs(this.body));
		};
		const onVisibility = () => {
			if (!document.hidden) void round();
		};
		document.addEventListener('visibilitychange', onVisibility);
		void round();
		return () => {
			isOver = true;
			clearTimeout(timer);
			document.removeEventListener('visibilitychange', onVisibility);
		};
	}
}
