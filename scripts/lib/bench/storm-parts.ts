import { setTimeout as delay } from 'node:timers/promises';
import type { GroupFigures } from '../../../simulators/src/storm-crowd.ts';
import { findPulse, peakPerSecond } from '../../../simulators/src/storm-figures.ts';
import { runPullers, type PullFigures } from '../../../simulators/src/storm-pulls.ts';
import { percentile, say, verdict } from './report.ts';

export const peakShareMax = 0.1;
/** See `findPulse`: chance alone stays below. */
export const beatMax = 0.4;

/** Of everybody together, ms. */
export interface Returned {
	backMs: number[];
	handshakeMs: number[];
}

/** What the groups did since the cut, against the goals. */
export function showReturn(title: string, groups: readonly GroupFigures[]): Returned {
	const sockets = groups.reduce((sum, group) => sum + group.sockets, 0);
	const attempts = groups.flatMap((group) => group.attempts);
	const backMs = groups.flatMap((group) => group.backMs);
	const planned = groups.flatMap((group) => group.planned);
	const peak = peakPerSecond(planned);
	const pulse = findPulse(planned);
	const share = (most: number) => `${most} (${((most / sockets) * 100).toFixed(1)} % of ${sockets})`;
	verdict(
		`${title}: handshakes in any one second`,
		`at most ${share(peak)} by plan, ${share(peakPerSecond(attempts))} as this machine sent them`,
		`≤ ${peakShareMax * 100} %`,
		peak <= sockets * peakShareMax
	);
	verdict(
		`${title}: strongest beat of 3 to 15 s in ${attempts.length} handshakes`,
		pulse === null ? 'cannot be told' : `${pulse.correlation.toFixed(2)} at ${pulse.seconds} s`,
		`< ${beatMax}`,
		pulse !== null && pulse.correlation < beatMax
	);
	const seconds = (percent: number) => `${(percentile(backMs, percent) / 1_000).toFixed(1)} s`;
	verdict(
		`${title}: back with a fresh state`,
		`${backMs.length} of ${sockets}, half after ${seconds(50)}, 95 % after ${seconds(95)}, the last after ${seconds(100)}`,
		'all',
		backMs.length >= sockets
	);
	const refused: Record<string, number> = {};
	for (const group of groups)
		for (const [why, count] of Object.entries(group.refused)) refused[why] = (refused[why] ?? 0) + count;
	const unanswered = groups.reduce((sum, group) => sum + group.unanswered, 0);
	say(`  refused: ${JSON.stringify(refused)}; without an answer (nobody was there): ${unanswered}`);
	const handshakeMs = groups.flatMap((group) => group.handshakeMs);
	const ms = (percent: number) => `${percentile(handshakeMs, percent).toFixed(0)} ms`;
	say(`  from knocking to a fresh state: p50 ${ms(50)}, p95 ${ms(95)}, p99 ${ms(99)}`);
	return { backMs, handshakeMs };
}

export interface PullSides {
	alone: PullFigures;
	beside: PullFigures;
	noisy: PullFigures;
}

/** Pulls of a quiet tenant, alone and beside a noisy one, in turn so that both see the same machine. */
export async function pullInTurn(options: {
	server: URL;
	cookie: string;
	rounds: number;
	roundMs: number;
}): Promise<PullSides> {
	const { server, cookie } = options;
	const sides: PullSides = { alone: empty(), beside: empty(), noisy: empty() };
	// A client may pull once a second, and a little more at once.
	const quiet = {
		...{ server, cookie, tenant: 'quiet', isEachItsOwn: true },
		...{ pullers: 20, everyMs: 1_200, isObedient: true }
	};
	const noisy = { server, cookie, tenant: 'noisy', pullers: 120, everyMs: 0, isObedient: false };
	for (let round = 0; round < options.rounds; round += 1) {
		for (const side of ['alone', 'beside'] as const) {
			const stop = new AbortController();
			const going = [
				runPullers(quiet, stop.signal).then((figures) => add(sides[side], figures)),
				...(side === 'beside'
					? [runPullers(noisy, stop.signal).then((figures) => add(sides.noisy, figures))]
					: [])
			];
			await delay(options.roundMs);
			stop.abort();
			await Promise.all(going);
		}
	}
	return sides;
}

const empty = (): PullFigures => ({ answeredMs: [], refused: {}, failed: {} });

function add(sum: PullFigures, more: PullFigures): void {
	sum.answeredMs.push(...more.answeredMs);
	for (const table of ['refused', 'failed'] as const)
		for (const [key, count] of Object.entries(more[table])) sum[table][key] = (sum[table][key] ?? 0) + count;
}

/** One line of pulls. */
export function describePulls({ answeredMs, refused, failed }: PullFigures): string {
	const ms = (percent: number) => `${percentile(answeredMs, percent).toFixed(1)} ms`;
	return (
		`${answeredMs.length} answered, p50 ${ms(50)}, p95 ${ms(95)}, p99 ${ms(99)}, ` +
		`refused ${JSON.stringify(refused)}, failed ${JSON.stringify(failed)}`
	);
}
