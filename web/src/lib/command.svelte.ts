import type { ErrorCode } from '@marsad/server/contract';
import type { Static, TSchema } from 'typebox';
import { request, titleOf, type Answer } from '#lib/api.ts';
import { m } from '#lib/paraglide/messages.js';
import { settings } from '#lib/settings.svelte.ts';

/** Sends one form's commands and keeps what came of the last one. Nothing is queued: offline it is refused, visibly. */
export class Command {
	isBusy = $state(false);
	/** What went wrong, in words; null when nothing did. */
	failure = $state<string | null>(null);
	/** What was done, in words. */
	done = $state<string | null>(null);
	/** The same unanswered command again keeps its key, so that it cannot count twice. */
	#unanswered: { text: string; key: string } | null = null;
	readonly #isOnline: () => boolean;

	/** @param isOnline whether the screen hears the server now */
	constructor(isOnline: () => boolean) {
		this.#isOnline = isOnline;
	}

	/** @param done what is said when it worked; @param words better words for some refusals; @param method of a change: PUT */
	async send<S extends TSchema>(
		path: string,
		schema: S,
		body: object,
		done: string,
		words: Partial<Record<ErrorCode, string>> = {},
		method: 'POST' | 'PUT' = 'POST'
	): Promise<Answer<Static<S>> | null> {
		this.failure = this.done = null;
		if (this.isBusy) return null;
		if (!this.#isOnline()) {
			this.failure = m.cmd_offline();
			return null;
		}
		const text = JSON.stringify([method, path, body]);
		const idempotencyKey = this.#unanswered?.text === text ? this.#unanswered.key : crypto.randomUUID();
		this.isBusy = true;
		const answer = await request(path, schema, { method, body, idempotencyKey });
		this.isBusy = false;
		this.#unanswered = answer.kind === 'no-answer' ? { text, key: idempotencyKey } : null;
		if (answer.kind === 'ok') this.done = done;
		if (answer.kind === 'no-answer') this.failure = m.cmd_no_answer();
		if (answer.kind === 'refused') {
			const { code } = answer.problem;
			this.failure = words[code] ?? m.cmd_failed({ reason: titleOf(code, settings.locale) });
		}
		return answer;
	}
}
