import { createDelayLine } from './delay-line.ts';
import { createFifoAge } from './fifo-age.ts';
import { rateAt, type QueuePart, type RoomPart, type WorkPart } from './plan.ts';

/** The room in one step: what happened in it, and how it stands after it. */
export interface RoomStep {
	joined: number;
	released: number;
	claimed: number;
	waiting: number;
	called: number;
	active: number;
	oldestSeconds: number;
}

/** What a change may move while the model runs. */
export interface RoomSettings {
	ratePerSecond: number;
	placesMax: number | null;
}

/**
 * The waiting room as the conductor works it: release = min(rate × dt ÷ (1 − no-show), places − called − active,
 * waiting), never below 0. Who does not come frees the place when the time to claim is over. `done` of the step before
 * leave their places.
 */
export function createRoom(part: RoomPart, stepSeconds: number) {
	let { waiting, called, active } = part;
	// Who is called when the run begins has shown no sign of staying away.
	const absent = createDelayLine(part.claimWithinSeconds, stepSeconds);
	const age = createFifoAge(waiting, stepSeconds);
	let coming = called;
	return {
		step(second: number, settings: RoomSettings, done: number, drawn?: (mean: number) => number): RoomStep {
			const mean = rateAt(part.arrivals, second + stepSeconds / 2) * stepSeconds;
			const joined = drawn ? drawn(mean) : mean;
			waiting += joined;
			active = Math.max(0, active - done);
			const places = settings.placesMax === null ? Infinity : settings.placesMax - called - active;
			const target = (settings.ratePerSecond * stepSeconds) / (1 - part.noShow);
			const released = Math.max(0, Math.min(target, places, waiting));
			waiting -= released;
			absent.step(released * part.noShow);
			coming += released * (1 - part.noShow);
			const claimed = coming * shareWithin(stepSeconds, part.claimSeconds);
			coming -= claimed;
			called = coming + absent.inside();
			active += claimed;
			return {
				...{ joined, released, claimed, waiting, called, active },
				oldestSeconds: age.step(joined, released)
			};
		}
	};
}

/** The part of a crowd that acts within a step, if each acts after an exponential time of that mean. */
export function shareWithin(stepSeconds: number, meanSeconds: number): number {
	return meanSeconds <= 0 ? 1 : 1 - Math.exp(-stepSeconds / meanSeconds);
}

export interface WorkStep {
	offered: number;
	served: number;
	backlog: number;
	/** How long the oldest has waited to be served. */
	waitSeconds: number;
}

/** The service behind the room: first come first served, as much as it can. */
export function createWork(part: WorkPart, insideAlready: number, stepSeconds: number) {
	let { backlog } = part;
	let thinking = Math.max(0, insideAlready - backlog);
	const age = createFifoAge(backlog, stepSeconds);
	return {
		step(letIn: number, capacityPerSecond: number): WorkStep {
			thinking += letIn;
			const offered = thinking * shareWithin(stepSeconds, part.thinkSeconds);
			thinking -= offered;
			backlog += offered;
			const served = Math.min(backlog, capacityPerSecond * stepSeconds);
			backlog -= served;
			return { offered, served, backlog, waitSeconds: age.step(offered, served) };
		}
	};
}

export interface QueueStep {
	came: number;
	drained: number;
	depth: number;
	oldestSeconds: number;
}

export function createQueue(part: QueuePart, stepSeconds: number) {
	let { depth } = part;
	const age = createFifoAge(depth, stepSeconds);
	return {
		step(served: number, drainPerSecond: number): QueueStep {
			const came = served * part.perServed;
			depth += came;
			const drained = Math.min(depth, drainPerSecond * stepSeconds);
			depth -= drained;
			return { came, drained, depth, oldestSeconds: age.step(came, drained) };
		}
	};
}
