import { setTimeout as delay } from 'node:timers/promises';
import { phaseSpans, type RunBegun, type SocketsBack } from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { createStormCrowd } from './storm-crowd.ts';
import { peakPerSecond } from './storm-figures.ts';

/** Screens of a run, all cut at the moment in which the hold begins. */
export interface SpikeSockets {
	/** Waits for those who are still on their way back, and says how it went. */
	end(): Promise<SocketsBack>;
	close(): void;
}

const openPerSecond = 150;
const openPatienceMs = 30_000;
const backPatienceMs = 60_000;
const ofOneTenant = 25;

/** @param cookie of a session that may watch */
export function openSpikeSockets(server: URL, cookie: string, run: RunBegun): SpikeSockets {
	const { sockets } = run.parameters;
	const tenants = Math.max(1, Math.ceil(sockets / ofOneTenant));
	const crowd = createStormCrowd({
		...{ server, cookie, topic: 'overview', run: `run-${run.id.slice(0, 8)}` },
		groups: [{ name: 'screens', temper: 'obedient', sockets, tenants }],
		random: createRandom(run.seed)
	});
	let isClosed = false;
	const cutInMs = ((phaseSpans(run.parameters).hold.from * 1_000) / run.timeScale) | 0;
	const cut = (async () => {
		const [open] = await Promise.all([crowd.open(openPerSecond, openPatienceMs), delay(cutInMs)]);
		if (!isClosed) await crowd.cut(() => crowd.dropAll());
		return open;
	})();
	return {
		async end() {
			await cut;
			await crowd.untilBack(backPatienceMs);
			const [figures] = crowd.figures();
			const back = [...(figures?.backMs ?? [])].sort((a, b) => a - b);
			const p95 = back[Math.min(back.length - 1, Math.floor(0.95 * back.length))];
			return {
				...{ sockets, back: Math.min(sockets, back.length) },
				handshakesPeak: peakPerSecond(figures?.attempts ?? []),
				backP95Seconds: p95 === undefined ? null : Math.round(p95 / 100) / 10
			};
		},
		close() {
			isClosed = true;
			crowd.close();
		}
	};
}
