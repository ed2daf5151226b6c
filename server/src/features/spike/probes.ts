import type { SpikeNow } from '../../../contract/index.ts';
import type { PartHealth } from '../../conductor/health.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';

type Dependency = SpikeNow['dependencies'][number];

/** Asks one part we depend on how it is. */
export interface Probe {
	name: string;
	look(): ProbeAnswer | Promise<ProbeAnswer>;
}
export interface ProbeAnswer {
	state: Dependency['state'];
	breaker?: Dependency['breaker'];
	detail?: string | null;
}

export interface Probes {
	/** What was last heard; a part that has not answered for five rounds is unknown. */
	dependencies(now: number): Dependency[];
	/** The parts of these names for health: when each was last heard, and for how long it has been as it is. */
	health(names: readonly string[], now: number): PartHealth[];
	start(): void;
	stop(): void;
}

const unknownAfterMs = 5 * limits.spike.probeEveryMs;

/** Looks at every part every two seconds, each with a time-out; a probe that hangs is not asked twice. */
export function createProbes(clock: Clock, probes: readonly Probe[]): Probes {
	const heard = new Map<string, Dependency>();
	/** When each part came into the state it is in. */
	const since = new Map<string, number>();
	const asking = new Set<string>();
	let stopTimer: StopTimer = () => {};

	const look = async ({ name, look: ask }: Probe) => {
		if (asking.has(name)) return;
		asking.add(name);
		const note = (answer: ProbeAnswer) => {
			if (heard.get(name)?.state !== answer.state) since.set(name, clock.now());
			heard.set(name, {
				name,
				state: answer.state,
				breaker: answer.breaker ?? null,
				detail: answer.detail ?? null,
				at: clock.now()
			});
		};
		let stopTimeout: StopTimer = () => {};
		const late = new Promise<ProbeAnswer>((resolve) => {
			stopTimeout = clock.setTimeout(
				() => resolve({ state: 'down', detail: 'no answer' }),
				limits.spike.probeTimeoutMs
			);
		});
		const answer = Promise.resolve()
			.then(ask)
			.catch((): ProbeAnswer => ({ state: 'down', detail: 'refused' }))
			.finally(() => asking.delete(name));
		note(await Promise.race([answer, late]));
		stopTimeout();
	};
	const round = () => probes.forEach((probe) => void look(probe));
	return {
		dependencies: (now) =>
			probes.map(({ name }) => {
				const last = heard.get(name) ?? {
					name,
					state: 'unknown' as const,
					breaker: null,
					detail: null,
					at: now
				};
				const state = now - last.at > unknownAfterMs ? ('unknown' as const) : last.state;
				return { ...last, state, since: since.get(name) ?? null };
			}),
		health: (names, now) =>
			probes
				.filter(({ name }) => names.includes(name))
				.map(({ name }) => ({
					name,
					state: heard.get(name)?.state ?? 'unknown',
					at: heard.get(name)?.at ?? null,
					forMs: now - (since.get(name) ?? now)
				})),
		start() {
			round();
			stopTimer = clock.setInterval(round, limits.spike.probeEveryMs);
		},
		stop: () => stopTimer()
	};
}
