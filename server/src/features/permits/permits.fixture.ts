import { pino } from 'pino';
import { createClock, createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import type { ListedKey } from '../../../contract/permit/index.ts';
import { verifyKeyList, verifyPermit, verifyRevocationList } from '../../../contract/permit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createRecord } from '../record/index.ts';
import { createIdentity } from './identity.ts';
import { createPermits, newPermitId, type Permits, type StoredPermit } from './index.ts';
import { verifySignature } from './key-crypto.ts';
import { readKeys } from './keys-store.ts';

export const season = 'test';
export const secret = 'a secret that is thirty-two characters long';
export const startedAt = Date.UTC(2027, 2, 5, 9);

/** Permits on a real database, with a clock that is set by hand. */
export interface PermitBench {
	test: TestDatabase;
	permits: Permits;
	/** Everything that was logged. */
	logged: string[];
	/** Moves the clock and looks what is due. */
	goTo(at: number): Promise<void>;
	now(): number;
	/** A valid permit of somebody, as booking inserts it. */
	issue(holder: string, overrides?: Partial<StoredPermit>): Promise<StoredPermit>;
	stop(): Promise<void>;
}

export async function openPermits(
	options: { test?: TestDatabase; at?: number; secret?: string; automaticRoot?: boolean } = {}
): Promise<PermitBench> {
	const test = options.test ?? (await createTestDatabase());
	const logged: string[] = [];
	const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
	let now = options.at ?? startedAt;
	const clock: Clock = { ...createClock(), now: () => now };
	const base = { db: test.database.db, clock, log, metrics: createMetrics(), season };
	const permits = createPermits({
		...{ ...base, record: createRecord(base), secret: options.secret ?? secret },
		identity: createIdentity({ secret, believeUser: true }),
		site: {
			timeZone: 'Asia/Riyadh',
			places: [
				{
					...{ id: 'north', name: { ar: 'الشمال', en: 'North' }, lanes: 2 },
					gates: [
						{ id: 'gate-1', name: { ar: 'البوابة 1', en: 'Gate 1' } },
						{ id: 'gate-2', name: { ar: 'البوابة 2', en: 'Gate 2' } }
					],
					location: { latitude: 21.42, longitude: 39.83 }
				}
			]
		},
		...{ mark: 'none', automaticRoot: options.automaticRoot ?? true }
	});
	await permits.start?.();
	return {
		...{ test, permits, logged, now: () => now },
		async goTo(at) {
			now = at;
			await permits.keepLists();
		},
		async issue(holder, overrides = {}) {
			const permit: StoredPermit = {
				...{ id: newPermitId(), holder, room: 'main', slot: 3, place: 'north', party: 4, ticket: null },
				...{ startsAt: now + 9 * 3_600_000, endsAt: now + 10 * 3_600_000, state: 'valid', issuedAt: now },
				attributes: { country: null, provider: null, category: 'pilgrim' },
				...{ replacedBy: null, serial: null, keyId: null, ...overrides }
			};
			await base.db.transaction().execute((tx) => permits.insert(tx, [permit]));
			return (await permits.findById(base.db, permit.id))!;
		},
		async stop() {
			await permits.stop?.();
			if (!options.test) await test.close();
		}
	};
}

/** What a gate knows: lists that it accepted, and what it makes of a text. */
export function createGate(test: TestDatabase) {
	let [keysSeen, revokedSeen] = [0, 0];
	let keys: ListedKey[] = [];
	const gate = {
		keys: () => keys,
		bits: null as { deflated: Uint8Array; size: number } | null,
		/** Takes the newest lists; the outcomes. */
		async sync() {
			const { lists, roots } = await readKeys(test.database.db, season);
			const keyList = await verifyKeyList(lists.keys!.body, roots, verifySignature, keysSeen);
			if (keyList.outcome === 'good') [keys, keysSeen] = [keyList.list.keys, keyList.list.version];
			const body = lists.revocations!.body;
			const revocations = await verifyRevocationList(body, keys, verifySignature, revokedSeen);
			if (revocations.outcome === 'good') {
				revokedSeen = revocations.list.version;
				gate.bits = revocations.list;
			}
			return { keys: keyList.outcome, revocations: revocations.outcome, revokedSeen };
		},
		judge: (text: string) => verifyPermit(text, (kid) => keys.find((key) => key.kid === kid), verifySignature)
	};
	return gate;
}
