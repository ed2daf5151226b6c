import { CurrentLevel, LevelProposal, type LevelsState, type Problem } from '@marsad/server/contract';
import { Compile } from 'typebox/compile';

/** What another person, a rule or a drill did meanwhile: the level it made, and what waits for a second person. */
export interface Faster {
	current: CurrentLevel;
	proposal: LevelProposal | null;
}

const shapes = { current: Compile(CurrentLevel), proposal: Compile(LevelProposal) };

/** Reads what a refusal says of the level in force; null when it says nothing that can be shown. */
export function fasterOf(problem: Problem): Faster | null {
	const current: unknown = problem['current'];
	const proposal: unknown = problem['proposal'];
	if (!shapes.current.Check(current)) return null;
	return { current, proposal: shapes.proposal.Check(proposal) ? proposal : null };
}

/** The level changed under the eyes of somebody who was about to switch: it must be looked at again. */
export function changedSince(seenVersion: number | null, levels: LevelsState): Faster | null {
	if (seenVersion === null || seenVersion === levels.current.version) return null;
	return { current: levels.current, proposal: null };
}
