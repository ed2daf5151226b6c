import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from './chance.ts';
import { createPeopleApi } from './people-api.ts';
import { createScannersApi } from './scanners-api.ts';
import { createDeviceClock } from './scanners-clock.ts';
import { createScannerDevice, toRoots } from './scanners-device.ts';
import { bookHolders, listEntrances, makeScanner, must, openEarly, signInAsAdmin } from './scanners-setup.ts';
import { askSession } from './session.ts';

/** A gate of the demo's site with people who have permits for it. @param server asked each time: it may come back elsewhere */
export async function openGate(server: () => URL, password: string) {
	const random = createRandom(7);
	const api = createScannersApi(server);
	const cookie = await signInAsAdmin(api, password);
	const { siteFile } = await askSession(server());
	const people = createPeopleApi(server().origin);
	const slots = await people.slots();
	await people.close();
	const entrances = listEntrances(siteFile, slots.ok ? slots.body.slots : []);
	const entrance = entrances[0]!;
	await openEarly(api, cookie, [entrance.place]);
	const roots = toRoots(must(await api.roots()).roots);
	return {
		...{ api, cookie, entrance, entrances },
		book: (count: number) => bookHolders(server(), entrance.place, count, random),
		/** A scanner at this gate, set up while there is a network. */
		async device(offByMs = 0) {
			const made = await makeScanner(api, cookie, entrance.gate, 'of a test');
			const clock = createDeviceClock({
				...{ now: Date.now, elapsedMs: () => performance.now(), boot: 'boot-1', offByMs }
			});
			const sleep = (ms: number) => delay(ms);
			const device = createScannerDevice({ ...made, gate: entrance.gate, api, clock, roots, random, sleep });
			if (!(await device.refresh())) throw new Error('a scanner could not be set up');
			return device;
		}
	};
}
