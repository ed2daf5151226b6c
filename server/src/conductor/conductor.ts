import type { Clock, StopTimer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Relay } from '../platform/realtime/relay.ts';
import { decide, type Decision, type HealthSignal, type RateLimit } from './decide.ts';

const decisionKey = 'decision';
/** What was decided longer ago is another day's: whoever begins then begins anew. */
const continuedMs = 600_000;

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
	/** The newest decision, made here or by the instance that leads. */
	decision(): Decision;
	/** Whether this instance decides; alone it always does. */
	leads(): boolean;
	/** Goes on from what was decided before a restart, as if there had been none; too old, it is another day's. */
	resume(last: Pick<Decision, 'at' | 'ratePerSecond' | 'provenPerSecond'>): void;
	start(): void;
	stop(): Promise<void>;
	/** One turn by hand, for tests. */
	turn(): Promise<void>;
}

/** Several instances at once: one of them decides, the others act on what it decided. */
export interface SharedLead {
	relay: Relay;
	/** The term under which this instance decides; null while another one does. */
	term(): number | null;
}

/**
 * Ticks once a second of the clock; a turn that takes longer is never overlapped by the next. Whoever leads next
 * goes on from the last decision it heard: a change of leaders is no change of the rate.
 */
export function createConductor({
	clock,
	log,
	shared
}: {
	clock: Clock;
	log: Log;
	shared?: SharedLead | undefined;
}): Conductor {
	const parts: ConductorPart[] = [];
	let decision: Decision = decide({ at: clock.now(), limits: [], health: [], previous: null });
	let running: Promise<void> | null = null;
	let stopTimer: StopTimer = () => {};
	const leads = () => !shared || shared.term() !== null;
	const said = () => new Map([[decisionKey, JSON.stringify(decision)]]);
	const channel = shared?.relay.open({
		name: 'conductor',
		term: shared.term,
		everything: said,
		onHeard(changes) {
			const text = changes.get(decisionKey);
			if (!text) return;
			const heard = JSON.parse(text) as Decision;
			if (clock.now() - heard.at < continuedMs) decision = heard;
		}
	});

	const turn = async () => {
		if (leads()) {
			decision = decide({
				at: clock.now(),
				limits: parts.flatMap((part) => part.limits?.() ?? []),
				health: parts.flatMap((part) => part.health?.() ?? []),
				previous: decision
			});
			channel?.publish(said());
		}
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
		leads,
		turn,
		resume(last) {
			const ageMs = clock.now() - last.at;
			if (decision.started || ageMs < 0 || ageMs >= continuedMs) return;
			decision = { ...decision, ...last, started: true };
		},
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
