import {
	LevelsState,
	type DrillGuard,
	type DrillRequest,
	type LevelReason,
	type LevelRequest,
	type Problem,
	type SwitchRequest
} from '@marsad/server/contract';
import { TimedCommand } from '#lib/dispatch/timed-command.svelte.ts';
import { m } from '#lib/paraglide/messages.js';
import { site } from '#lib/site.svelte.ts';
import { fasterOf, type Faster } from './faster.ts';
import { figureValue } from './drill-view.ts';

/** Sends the commands around levels and keeps what came of the last one. Offline it refuses; nothing is sent later. */
export class LevelCommand {
	readonly timed = new TimedCommand();
	/** Who was faster, when the last command was refused for that. */
	faster = $state.raw<Faster | null>(null);
	/** Better words than the title of the refusal. */
	#told = $state<string | null>(null);

	get isBusy(): boolean {
		return this.timed.isBusy;
	}
	get done(): string | null {
		return this.timed.done;
	}
	/** What went wrong, in words; one who was faster is told apart, with all that is known. */
	get failure(): string | null {
		return this.faster ? null : (this.#told ?? this.timed.failure);
	}

	clear(): void {
		this.faster = null;
		this.#told = null;
		this.timed.command.failure = null;
		this.timed.command.done = null;
	}

	async #send(path: string, body: object, done: string): Promise<200 | 202 | null> {
		this.faster = null;
		this.#told = null;
		const answer = await this.timed.send(path, LevelsState, body, done);
		if (answer?.kind === 'refused') {
			const { problem } = answer;
			if (problem.code === 'somebody_faster') this.faster = fasterOf(problem);
			if (problem.code === 'drill_not_now') this.#told = drillRefusal(problem);
			if (problem.code === 'second_person_needed') this.#told = m.lev_second_not_you();
		}
		if (answer?.kind !== 'ok') return null;
		return answer.status === 202 ? 202 : 200;
	}

	#current(body: LevelRequest, done: string) {
		return this.#send('/api/v1/levels/current', body, done);
	}

	/** Switches, or asks a second person where two are needed. */
	async switchTo(request: SwitchRequest, asksSecond: boolean): Promise<boolean> {
		const level = site.format.count(request.level);
		const done = asksSecond ? m.lev_proposal_sent() : m.lev_done({ level });
		return (await this.#current(request, done)) !== null;
	}

	async confirm(id: string, level: number): Promise<boolean> {
		return (await this.#current({ confirm: id }, m.lev_done({ level: site.format.count(level) }))) !== null;
	}

	async withdraw(id: string): Promise<boolean> {
		return (await this.#current({ withdraw: id }, m.lev_withdrawn())) !== null;
	}

	async undo(version: number, level: number): Promise<boolean> {
		return (
			(await this.#current({ undo: version }, m.lev_undone({ level: site.format.count(level) }))) !== null
		);
	}

	async putOff(id: string, reason: string, minutes: number): Promise<boolean> {
		const path = `/api/v1/levels/proposals/${encodeURIComponent(id)}/put-off`;
		const done = m.lev_put_off_done({ minutes: site.format.count(minutes) });
		return (await this.#send(path, { reason, minutes }, done)) !== null;
	}

	async startDrill(request: DrillRequest, asksSecond: boolean): Promise<boolean> {
		const level = site.format.count(request.level);
		const done = asksSecond ? m.lev_proposal_sent() : m.lev_drill_started({ level });
		return (await this.#send('/api/v1/levels/drills', request, done)) !== null;
	}

	async endDrill(id: string, reason: string): Promise<boolean> {
		const path = `/api/v1/levels/drills/${encodeURIComponent(id)}/end`;
		return (await this.#send(path, { reason }, m.lev_drill_ended())) !== null;
	}

	/** Unleash is told again what the level in force says. */
	async restoreFlags(reason: string): Promise<boolean> {
		return (await this.#send('/api/v1/levels/flags/restore', { reason }, m.lev_drift_restored())) !== null;
	}
}

/** Which figure keeps a drill from beginning, with its value and the guard. */
function drillRefusal(problem: Problem): string | null {
	const why = problem['why'];
	const guard = problem['guard'] as Partial<DrillGuard> | undefined;
	const figures = problem['figures'] as
		{ p95Ms?: number | null; workRatio?: number | null } | null | undefined;
	const { format } = site;
	if (why === 'unknown') return m.lev_drill_no_unknown();
	if (why === 'rule-proposes') return m.lev_drill_no_rule();
	if (why === 'drill-running') return m.lev_drill_no_running();
	if (why === 'p95')
		return m.lev_drill_no_p95({
			now: figureValue('p95Ms', figures?.p95Ms ?? null, format),
			limit: figureValue('p95Ms', guard?.p95MsMax ?? null, format)
		});
	if (why === 'work-ratio')
		return m.lev_drill_no_work({
			now: figureValue('workRatio', figures?.workRatio ?? null, format),
			limit: figureValue('workRatio', guard?.workRatioMin ?? null, format)
		});
	return why === 'depth' ? m.lev_drill_no_depth() : null;
}

/** What a person has put into the form so far; it outlives a change of the level that is looked at. */
export class SwitchDraft {
	words = $state('');
	chips = $state.raw<readonly LevelReason[]>([]);
	until = $state<'none' | 'at' | number>('none');
	untilText = $state('');
	/** The reason was left once: what is missing may be said. */
	wasTouched = $state(false);

	reset(): void {
		this.words = '';
		this.chips = [];
		this.until = 'none';
		this.untilText = '';
		this.wasTouched = false;
	}

	toggle(chip: LevelReason, most: number): void {
		if (this.chips.includes(chip)) this.chips = this.chips.filter((each) => each !== chip);
		else if (this.chips.length < most) this.chips = [...this.chips, chip];
	}
}
