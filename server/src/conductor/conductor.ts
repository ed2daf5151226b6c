import type { Clock, StopTimer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { decide, type Decision, type HealthSignal, type RateLimit } from './decide.ts';

/** What a feature contributes to the once-a-second loop; every part is optional. */
export interface ConductorPart {
	name: string;
	/** Caps on the admission rate, people a second. */
	limits?(): RateLimit[];
	/** Signals by which health is judged; a signal that is missing is never healthy. */
	health?(): HealthSignal[];
	/** Acts on the decision. Runs every second, in the order of registration. */
	tick?(decision: Decision): void | Promise<void>;
}

/** The loop that decides how many people to admit: features register, it merges, decides and publishes. */
export interface Conductor {
	register(part: ConductorPart): void;
	/** The newest decision. */
	decision(): Decision;
	start(): void;
	stop(): Promise<void>;
	/** One turn by hand, for tests. */
	turn(): Promise<void>;
}

/** Ticks once a second of the clock; a turn that takes longer is never overlapped by the next. */
export function createConductor({ clock, log }: { clock: Clock; log: Log }): Conductor {
	const parts: ConductorPart[] = [];
	let decision: Decision = decide({ at: clock.now(), limits: [], health: [], previous: null });
	let running: Promise<void> | null = null;
	let stopTimer: StopTimer = () => {};

	const turn = async () => {
		decision = decide({
			at: clock.now(),
			limits: parts.flatMap((part) => part.limits?.() ?? []),
			health: parts.flatMap((part) => part.health?.() ?? []),
			previous: decision
		});
		for (const part of parts) {
			try {
				await part.tick?.(decision);
			} catch (error) {
				log.error(
					{ part: part.name, error: error instanceof Error ? error.message : 'unknown' },
					'a conductor tick failed'
				);
			}
		}
	};

	return {
		register: (part) => void parts.push(part),
		decision: () => decision,
		turn,
		start() {
			const next = () => {
				running ??= turn().finally(() => {
					running = null;
				});
			};
			next();
			stopTimer = clock.setInterval(next, 1_000);
		},
		async stop() {
			stopTimer();
			await running;
		}
	};
}
