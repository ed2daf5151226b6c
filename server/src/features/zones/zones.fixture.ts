import { smallSite } from '../site/small-site.fixture.ts';
import { buildSite } from '../site/index.ts';
import { createLedger } from '../sensors/ledger.ts';
import { valueOf } from '../sensors/device.fixture.ts';
import { newReading } from '../sensors/reading.ts';
import { createZoneWatch, type ZoneWatch } from './zone-watch.ts';

export const startAt = Date.UTC(2026, 2, 1, 10);
export const seconds = (count: number) => startAt + count * 1_000;

/** The small site with its counters in memory and one zone under watch. */
export function watchZone(id: string): {
	watch: ZoneWatch;
	/** A reading of a device, `at` seconds after the start; the seconds before it are looked at first. */
	say(at: number, device: string, counts: Parameters<typeof valueOf>[0], channel?: string): void;
	state(at: number, device: string, online: boolean): void;
	/** The figures after a look at every second up to `at`. */
	lookUntil(at: number): ReturnType<ZoneWatch['figures']>;
} {
	const file = smallSite();
	const door = file.features.find(({ properties }) => properties.id === 'door-1');
	// A yard with a door as well, where a test is about both.
	if (id === 'yard-doors' && door?.properties.kind === 'counter')
		file.features.push({
			...door,
			properties: { ...door.properties, id: 'door-3', device: 'door-3', to: 'yard', peoplePerSecondMax: 500 }
		} as typeof door);
	const site = buildSite(file);
	const ledger = createLedger(site.countersByDevice, {
		simulatedAllowed: true,
		isOnChangeOnly: (adapter) => adapter === 'frigate'
	});
	const zone = site.zones.get(id === 'yard-doors' ? 'yard' : id);
	if (!zone) throw new Error(`no zone ${id}`);
	const watch = createZoneWatch({
		zone,
		counters: ledger.counters.values(),
		retiredNetFlow: () => 0,
		corridors: site.corridors,
		mark: 'simulated'
	});
	let looked = -1;
	const lookUntil = (at: number) => {
		while (looked < at) watch.look(seconds(++looked));
		return watch.figures('en');
	};
	return {
		watch,
		lookUntil,
		say(at, device, counts, channel) {
			lookUntil(at - 1);
			const receivedAt = seconds(at);
			const deviceAt = channel === undefined ? receivedAt : null;
			const taken = ledger.take(
				{
					kind: 'reading',
					reading: newReading(
						device,
						channel ?? null,
						valueOf(counts, false, null),
						{ receivedAt, retained: false },
						{ deviceAt, simulated: true }
					)
				},
				receivedAt
			);
			if (taken.accepted === 0) throw new Error(`refused: ${taken.reason}`);
		},
		state(at, device, online) {
			lookUntil(at - 1);
			ledger.take({ kind: 'state', device, channel: null, online }, seconds(at));
		}
	};
}
