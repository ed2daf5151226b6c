import {
	phasesOf,
	phaseSpans,
	runPhases,
	type RunParameters,
	type RunPhaseName,
	type RunSummary
} from '@marsad/server/contract';

/** One phase as it goes. */
export interface PhaseProgress {
	name: RunPhaseName;
	from: number;
	to: number;
	state: 'over' | 'now' | 'ahead';
	/** People that the plan lets arrive in it. */
	planned: number;
}

/** People that a plan lets arrive within its first seconds; bots are not among them. */
export function plannedUntil(parameters: RunParameters, second: number): number {
	let [at, people] = [0, 0];
	for (const phase of phasesOf(parameters)) {
		const within = Math.min(phase.seconds, Math.max(0, second - at));
		const rateThen = phase.from + ((phase.to - phase.from) * within) / phase.seconds;
		people += (within * (phase.from + rateThen)) / 2;
		at += phase.seconds;
	}
	return people;
}

/** The five phases, which one it is, and what each lets arrive. A phase of no length is left out. */
export function phasesAt(parameters: RunParameters, second: number | null): PhaseProgress[] {
	const spans = phaseSpans(parameters);
	return runPhases.flatMap((name) => {
		const { from, to } = spans[name];
		if (to <= from) return [];
		const state = second === null || second < from ? 'ahead' : second < to ? 'now' : 'over';
		const planned = Math.round(plannedUntil(parameters, to) - plannedUntil(parameters, from));
		return [{ name, from, to, state, planned }];
	});
}

/** What the generator owes: the share of those it should have let loose by now and did not. Null: nothing was due. */
export function shortfallNow({ progress }: Pick<RunSummary, 'progress'>): number | null {
	if (!progress || progress.offered === 0) return null;
	return Math.max(0, progress.offered - progress.started) / progress.offered;
}

/** A run that may still change. */
export const isOpenRun = ({ state }: Pick<RunSummary, 'state'>): boolean =>
	state === 'proposed' || state === 'ready' || state === 'running' || state === 'settling';
