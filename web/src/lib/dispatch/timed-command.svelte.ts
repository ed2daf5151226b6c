import type { ErrorCode } from '@marsad/server/contract';
import type { Static, TSchema } from 'typebox';
import type { Answer } from '#lib/api.ts';
import { clock } from '#lib/clock.svelte.ts';
import { Command } from '#lib/command.svelte.ts';
import { feed } from '#lib/live/feed.svelte.ts';

/**
 * Commands that say when they were pressed: the server refuses what arrives too late, so that nothing is sent later.
 * The same unanswered command again keeps its moment, and with it its key.
 */
export class TimedCommand {
	readonly command = new Command(() => feed.link.isLive);
	#unanswered: { text: string; sentAt: number } | null = null;

	get isBusy(): boolean {
		return this.command.isBusy;
	}
	get failure(): string | null {
		return this.command.failure;
	}
	get done(): string | null {
		return this.command.done;
	}

	async send<S extends TSchema>(
		path: string,
		schema: S,
		body: object,
		done: string,
		words: Partial<Record<ErrorCode, string>> = {}
	): Promise<Answer<Static<S>> | null> {
		const text = JSON.stringify([path, body]);
		const now = Date.now() + clock.offsetMs;
		const sentAt = this.#unanswered?.text === text ? this.#unanswered.sentAt : Math.round(now);
		const answer = await this.command.send(path, schema, { ...body, sentAt }, done, words);
		this.#unanswered = answer?.kind === 'no-answer' ? { text, sentAt } : null;
		return answer;
	}
}
