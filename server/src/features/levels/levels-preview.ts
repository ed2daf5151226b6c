import {
	protectedFeatures,
	type LevelFigures,
	type LevelPreview,
	type LevelsFile,
	type LevelsState,
	type Mark,
	type Role
} from '../../../contract/index.ts';
import { effectOf, entryOf, mayPress, needsSecondPerson, realLevel, switchesOf } from './levels-plan.ts';

/** What a switch would change, who would notice, and the figures for it. What comes of it is not guessed. */
export function previewLevel(
	file: LevelsFile,
	state: Pick<LevelsState, 'current' | 'ruleProposal' | 'lastDrills'>,
	asked: { level: number; role: Role; figures: LevelFigures | null; mark: Mark }
): LevelPreview {
	const { level, role, figures, mark } = asked;
	const { current, ruleProposal, lastDrills } = state;
	const real = realLevel(current);
	const before = effectOf(file, current.level);
	const after = effectOf(file, level);
	const words = switchesOf(file).map(({ level: _, ...words }) => words);
	return {
		...{ from: current.level, level, expectedVersion: current.version },
		mayPress: mayPress(file, role, real, level),
		needsSecondPerson: needsSecondPerson(file, real, level),
		notice: entryOf(file, level)!.notice,
		goesOff: words.filter(({ flag }) => after.off.has(flag) && !before.off.has(flag)),
		comesBack: words.filter(({ flag }) => before.off.has(flag) && !after.off.has(flag)),
		rateCapBefore: before.rateCapPerSecond,
		rateCapAfter: after.rateCapPerSecond,
		protectedFeatures: [...protectedFeatures],
		figures,
		people: figures && figures.depth + figures.called + figures.active,
		ruleProposal,
		lastDrill: lastDrills.find((drill) => drill.level === level) ?? null,
		mark
	};
}
