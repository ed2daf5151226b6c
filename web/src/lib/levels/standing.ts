import type { CurrentLevel, LevelsState } from '@marsad/server/contract';

/** Whether the level in force still stands as it was meant to. */
export type Standing =
	| { kind: 'normal' | 'as-meant' }
	/** Its planned end lies ahead, in so many seconds. */
	| { kind: 'until'; secondsLeft: number }
	/** Its planned end has passed, so many seconds ago. */
	| { kind: 'over'; secondsOver: number }
	/** Away from normal without a planned end for longer than the file allows. */
	| { kind: 'forgotten'; seconds: number };

/** @param now server time, epoch ms */
export function standingOf(
	current: Pick<CurrentLevel, 'level' | 'exercise' | 'until' | 'since'>,
	levels: LevelsState['levels'],
	now: number
): Standing {
	// An exercise has an end of its own.
	if (current.level === 0 || current.exercise) return { kind: 'normal' };
	if (current.until !== null)
		return current.until > now
			? { kind: 'until', secondsLeft: (current.until - now) / 1_000 }
			: { kind: 'over', secondsOver: (now - current.until) / 1_000 };
	const minutes = levels.find(({ level }) => level === current.level)?.forgottenAfterMinutes;
	const seconds = (now - current.since) / 1_000;
	return minutes !== undefined && seconds > minutes * 60
		? { kind: 'forgotten', seconds }
		: { kind: 'as-meant' };
}

/** Instances that have not seen the switch in force. */
export function behindOf({ instances, current }: Pick<LevelsState, 'instances' | 'current'>) {
	return instances.filter((each) => each.version !== current.version);
}
