import { phaseSpans, type EligibilitySteering, type RunParameters } from '../../../contract/index.ts';
import type { QueueSecond } from './run-seconds.ts';

/** What a run slows down, in demo and laboratory only. */
export interface SlowableCheck {
	steer(steering: EligibilitySteering): void;
	steering(): Required<EligibilitySteering>;
}

/** Parts that exist only while a run wants them: a slow identity check, and confirmations that are sent slowly. */
export interface SimulatedParts {
	/** One second: how far the run is, and how many bookings there were ever. */
	tick(second: number, booked: number): void;
	/** The queue of confirmations, as the report reads it. */
	queues(): QueueSecond[];
	/** Everything as it was. */
	end(): void;
}

export function createSimulatedParts(
	{ dependencyDelayMs, confirmationsPerSecond, ...rest }: RunParameters,
	check: SlowableCheck | null
): SimulatedParts {
	const { hold } = phaseSpans({ dependencyDelayMs, confirmationsPerSecond, ...rest });
	let delayBefore: number | null = null;
	let bookedBefore: number | null = null;
	let depth = 0;
	let drained = 0;
	/** Seconds in which it was not empty, so that the age of the oldest can be told. */
	let arrivals: { second: number; left: number }[] = [];
	let now = 0;

	const slow = (isHold: boolean) => {
		if (dependencyDelayMs === null || check === null) return;
		if (isHold && delayBefore === null) {
			delayBefore = check.steering().delayMs;
			check.steer({ delayMs: dependencyDelayMs });
		} else if (!isHold) restore();
	};
	const restore = () => {
		if (delayBefore === null || check === null) return;
		check.steer({ delayMs: delayBefore });
		delayBefore = null;
	};
	const send = (second: number, booked: number) => {
		if (confirmationsPerSecond === null) return;
		const came = bookedBefore === null ? 0 : Math.max(0, booked - bookedBefore);
		bookedBefore = booked;
		if (came > 0) arrivals.push({ second, left: came });
		depth += came;
		drained = Math.min(depth, confirmationsPerSecond);
		depth -= drained;
		let rest = drained;
		while (rest > 0 && arrivals.length > 0) {
			const first = arrivals[0]!;
			const taken = Math.min(first.left, rest);
			first.left -= taken;
			rest -= taken;
			if (first.left <= 1e-9) arrivals = arrivals.slice(1);
		}
	};
	return {
		tick(second, booked) {
			now = second;
			slow(second >= hold.from && second < hold.to);
			send(second, booked);
		},
		queues: () =>
			confirmationsPerSecond === null
				? []
				: [
						{
							...{ name: 'confirmations', depth: Math.round(depth * 10) / 10, drainPerSecond: drained },
							oldestSeconds: arrivals[0] ? Math.max(0, Math.round(now - arrivals[0].second)) : null
						}
					],
		end: restore
	};
}
