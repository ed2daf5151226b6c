import mqtt from 'mqtt';
import { topics, type SimulatorSession, type SiteFile } from '../../../server/contract/index.ts';

/** Zones rise and fall between these shares of their capacity, one round in so long: alarms come and go. */
const wave = { mean: 0.72, swing: 0.24, roundSeconds: 1_200 };
/** By the laboratory's clock. */
const periodSeconds = 10;
const tickMs = 20;

/** Every counter of the laboratory's site, by its clock. */
export interface SoakFeed {
	/** A zone that only cameras watch, for an alarm that is raised by hand. */
	zone: { id: string; name: string };
	/** From now on that zone is so full, a share of its capacity. */
	fill(share: number): void;
	/** Readings said so far. */
	said(): number;
	stop(): Promise<void>;
}

/** @param labNow the server's clock, epoch ms */
export async function startSoakFeed(server: string, labNow: () => number): Promise<SoakFeed> {
	const answer = await fetch(`${server}/api/v1/simulators/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: '{}'
	});
	if (!answer.ok) throw new Error(`the server takes no simulated data (${answer.status})`);
	const session = (await answer.json()) as SimulatorSession & { siteFile: SiteFile };
	const { username, password, site } = session;
	const client = await mqtt.connectAsync(session.mqttUrl, { username, password, clientId: 'simulator-soak' });
	client.on('error', () => undefined);
	const parts = session.siteFile.features.map(({ properties }) => properties);
	const counters = parts.filter((part) => part.kind === 'counter');
	const zones = new Map(parts.filter((part) => part.kind === 'zone').map((zone) => [zone.id, zone]));
	const watched = counters.find(({ measures }) => measures === 'present')?.to ?? '';
	let filled = 0.3;
	let said = 0;
	const present = (id: string) => {
		const capacity = zones.get(id)?.capacity.holding ?? 0;
		if (id === watched) return Math.round(capacity * filled);
		const phase =
			(labNow() / 1_000 / wave.roundSeconds + [...zones.keys()].indexOf(id) / zones.size) * 2 * Math.PI;
		return Math.round(capacity * (wave.mean + wave.swing * Math.sin(phase)));
	};
	const startedMs = labNow();
	const turn = () => {
		const due = ((labNow() - startedMs) / 1_000 / periodSeconds) * counters.length;
		for (; said < due; said++) {
			const counter = counters[said % counters.length]!;
			const counts =
				counter.measures === 'present'
					? { present: present(counter.to ?? '') }
					: { in: said % 7, out: said % 5 };
			const reading = { ts: labNow(), boot: 'soak', seq: said, ...counts, sim: true };
			client.publish(topics.reading(site, counter.device), JSON.stringify(reading), { qos: 0 });
		}
	};
	const timer = setInterval(turn, tickMs);
	return {
		zone: { id: watched, name: zones.get(watched)?.name.en ?? '' },
		fill: (share) => (filled = share),
		said: () => said,
		async stop() {
			clearInterval(timer);
			await client.endAsync(true);
		}
	};
}
