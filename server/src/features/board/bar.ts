import type { BarState, LocalText, Mark } from '../../../contract/index.ts';

/** Builds the thin bar from what the features below say. `dataAt` is the oldest figure on the wall. */
export function buildBar(input: {
	level: { level: number; name: LocalText; exercise: boolean };
	figuresAt: number;
	crowdAt: number;
	mark: Mark;
	build: string;
	site: { name: LocalText; timeZone: string };
}): BarState {
	return {
		level: input.level.level,
		levelName: input.level.name,
		levelExercise: input.level.exercise,
		dataAt: Math.min(input.figuresAt, input.crowdAt),
		mark: input.level.exercise ? 'exercise' : input.mark,
		build: input.build,
		site: input.site.name,
		timeZone: input.site.timeZone
	};
}
