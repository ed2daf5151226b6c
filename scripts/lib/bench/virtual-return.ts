import { stormTempers, type StormTemper } from '../../../simulators/src/storm-tempers.ts';

/**
 * Clients that were all cut at once and come back to a server that is away for so long, in virtual time: the moments of
 * their attempts, ms after the cut. Nobody is refused once it is there.
 */
export function returnInVirtualTime(temper: StormTemper, clients: number, awayMs: number): number[] {
	const moments: number[] = [];
	for (let client = 0; client < clients; client += 1) {
		let nowMs = 0;
		const back = stormTempers[temper].create({ now: () => nowMs, random: Math.random });
		do {
			nowMs += back.failed(null);
			moments.push(nowMs);
		} while (nowMs < awayMs);
	}
	return moments;
}
