import { limits } from '../../limits.ts';
import type { EligibilityAnswer } from './eligibility.ts';

/** Answers that are still fresh: who prepared, or tries again, is not asked about twice. */
export interface AnswerCache {
	find(holder: string): EligibilityAnswer | null;
	keep(holder: string, answer: EligibilityAnswer): void;
}

/** A "no" is forgotten soon, so that what was mended counts; the oldest go first when there are too many. */
export function createAnswerCache(elapsedMs: () => number): AnswerCache {
	const answers = new Map<string, { answer: EligibilityAnswer; untilMs: number }>();
	return {
		find(holder) {
			const known = answers.get(holder);
			if (!known) return null;
			if (known.untilMs > elapsedMs()) return known.answer;
			answers.delete(holder);
			return null;
		},
		keep(holder, answer) {
			const { eligibilityYesMs, eligibilityNoMs, eligibilityAnswersMax } = limits.booking;
			answers.delete(holder);
			answers.set(holder, {
				answer,
				untilMs: elapsedMs() + (answer.eligible ? eligibilityYesMs : eligibilityNoMs)
			});
			for (const oldest of answers.keys()) {
				if (answers.size <= eligibilityAnswersMax) break;
				answers.delete(oldest);
			}
		}
	};
}
