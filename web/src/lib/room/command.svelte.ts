import { RoomSettings } from '@marsad/server/contract';
import { request, titleOf } from '#lib/api.ts';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { settings } from '#lib/settings.svelte.ts';
import { modeWord } from '#lib/words.ts';

/** Sends the duty manager's commands on the room and keeps what came of the last one. */
export class RoomCommand {
	isBusy = $state(false);
	failure = $state<string | null>(null);
	done = $state<string | null>(null);
	/** The same unanswered command again keeps its key, so that it cannot count twice. */
	#unanswered: { text: string; key: string } | null = null;

	async #send(path: string, body: object): Promise<boolean> {
		const text = JSON.stringify([path, body]);
		const idempotencyKey = this.#unanswered?.text === text ? this.#unanswered.key : crypto.randomUUID();
		this.failure = this.done = null;
		this.isBusy = true;
		const answer = await request(path, RoomSettings, { method: 'PUT', body, idempotencyKey });
		this.isBusy = false;
		this.#unanswered = answer.kind === 'no-answer' ? { text, key: idempotencyKey } : null;
		if (answer.kind === 'no-answer') this.failure = m.hand_no_answer();
		if (answer.kind === 'refused')
			this.failure = m.hand_failed({ reason: titleOf(answer.problem.code, settings.locale) });
		return answer.kind === 'ok';
	}

	async setRate(perSecond: number, reason: string, format: Format): Promise<boolean> {
		const isDone = await this.#send('/api/v1/queue/rate', { perSecond, reason });
		if (isDone) this.done = m.hand_done_rate({ rate: isolate(format.rate(perSecond)) });
		return isDone;
	}

	async setMode(mode: string, reason: string): Promise<boolean> {
		const isDone = await this.#send('/api/v1/queue/mode', { mode, reason });
		if (isDone) this.done = m.hand_done_mode({ mode: modeWord(mode) });
		return isDone;
	}
}
