import { LevelsState, type LevelRequest } from '@marsad/server/contract';
import { request, titleOf } from '#lib/api.ts';
import { m } from '#lib/paraglide/messages.js';
import { settings } from '#lib/settings.svelte.ts';

const undoForMs = 10_000;

export interface Undo {
	/** The level to go back to, and the version that the switch made. */
	level: number;
	version: number;
	from: number;
	reason: string;
	endsAt: number;
}

/** Sends level commands and keeps what came of the last one. */
export class LevelCommand {
	isBusy = $state(false);
	/** What went wrong, in words; null when nothing did. */
	failure = $state<string | null>(null);
	/** What was done, in words. */
	done = $state<string | null>(null);
	undo = $state.raw<Undo | null>(null);
	/** The same unanswered command again keeps its key, so that it cannot count twice. */
	#unanswered: { body: string; key: string } | null = null;
	#undoTimer: ReturnType<typeof setTimeout> | undefined;

	clear(): void {
		this.failure = null;
		this.done = null;
	}

	async #send(body: LevelRequest) {
		const text = JSON.stringify(body);
		const key = this.#unanswered?.body === text ? this.#unanswered.key : crypto.randomUUID();
		this.clear();
		this.isBusy = true;
		const answer = await request('/api/v1/levels/current', LevelsState, {
			method: 'POST',
			body,
			idempotencyKey: key
		});
		this.isBusy = false;
		this.#unanswered = answer.kind === 'no-answer' ? { body: text, key } : null;
		if (answer.kind === 'no-answer') this.failure = m.lev_no_answer();
		return answer;
	}

	#refuse(code: Parameters<typeof titleOf>[0], current: number | null): void {
		this.failure =
			code === 'somebody_faster' && current !== null
				? m.lev_somebody_faster({ level: String(current) })
				: m.lev_failed({ reason: titleOf(code, settings.locale) });
	}

	/** Switches, or proposes where two people are needed. `from` is the level to go back to. */
	async switchTo(level: number, reason: string, expectedVersion: number, from: number): Promise<boolean> {
		const answer = await this.#send({ level, reason, expectedVersion });
		if (answer.kind === 'no-answer') return false;
		if (answer.kind === 'refused') {
			const current = (answer.problem['current'] as { level?: number } | undefined)?.level ?? null;
			this.#refuse(answer.problem.code, current);
			return false;
		}
		if (answer.status === 202) {
			this.done = m.lev_proposal_sent();
			return true;
		}
		this.done = m.lev_done({ level: String(level) });
		this.#offerUndo({
			level: from,
			version: answer.body.current.version,
			from: level,
			reason,
			endsAt: Date.now() + undoForMs
		});
		return true;
	}

	async confirm(id: string, level: number): Promise<boolean> {
		const answer = await this.#send({ confirm: id });
		if (answer.kind === 'refused') this.#refuse(answer.problem.code, null);
		if (answer.kind === 'ok') this.done = m.lev_done({ level: String(level) });
		return answer.kind === 'ok';
	}

	async withdraw(id: string): Promise<boolean> {
		const answer = await this.#send({ withdraw: id });
		if (answer.kind === 'refused') this.#refuse(answer.problem.code, null);
		if (answer.kind === 'ok') this.done = m.lev_withdrawn();
		return answer.kind === 'ok';
	}

	#offerUndo(undo: Undo): void {
		clearTimeout(this.#undoTimer);
		this.undo = undo;
		this.#undoTimer = setTimeout(() => (this.undo = null), undoForMs);
	}

	async takeBack(): Promise<void> {
		const undo = this.undo;
		if (!undo) return;
		clearTimeout(this.#undoTimer);
		this.undo = null;
		const reason = m.lev_undo_reason({ reason: undo.reason }).slice(0, 400);
		const isDone = await this.switchTo(undo.level, reason, undo.version, undo.from);
		// One step back, not a see-saw.
		if (isDone) this.undo = null;
	}
}
