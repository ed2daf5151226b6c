import type { RoomOutlook } from '../../../contract/index.ts';
import { readRun, runModel, type ModelPlan, type Series } from '../../../contract/model/index.ts';

/** Runs the model and says what a person asks: how many wait, until when. `at`: the start, epoch ms. */
export function outlookOf(plan: ModelPlan, at: number): RoomOutlook {
	const run = runModel(plan);
	const { emptiesAtSecond, waitingMost } = readRun(plan, run);
	const room = run.room!;
	const last = room.waiting.length - 1;
	return {
		emptiesAt: emptiesAtSecond === null ? null : Math.round(at + emptiesAtSecond * 1_000),
		waitingMost: Math.round(waitingMost),
		waitingAtEnd: Math.round(room.waiting[last]!),
		oldestSecondsAtEnd: Math.round(room.oldestSeconds[last]!),
		waiting: rounded(room.waiting, 0),
		admittedPerSecond: rounded(room.admittedPerSecond, 2)
	};
}

function rounded(series: Series, digits: number): number[] {
	const unit = 10 ** digits;
	return Array.from(series, (value) => Math.round(value * unit) / unit);
}
