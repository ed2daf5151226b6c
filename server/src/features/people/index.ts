import { randomUUID } from 'node:crypto';
import type { Account, Role } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { createSignal, type Signal } from '../../platform/signal.ts';
import type { Record } from '../record/index.ts';
import { demoAccounts } from './demo-accounts.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { peopleRoutes } from './people-routes.ts';
import {
	findAccountByEmail,
	findActiveAccount,
	findDevice,
	forgetSessions,
	hasRealAccount,
	insertAccount,
	insertDeviceToken,
	listAccountsOfRole,
	listPeopleOfRole,
	resetDemoPasswords,
	saveFirstLink,
	type DeviceRole
} from './people-store.ts';
import { createToken, hashToken, readBearer, type Credentials } from './session-cookie.ts';
import { createSessions } from './sessions.ts';
import { createSignInLimit } from './sign-in-limit.ts';
import { createSignIns } from './sign-ins.ts';

export { demoAccounts } from './demo-accounts.ts';
export type { Credentials } from './session-cookie.ts';

/** Accounts, their sessions, and devices that read. */
export interface People extends Feature {
	/** Who is asking, by the headers of a request or of a socket's handshake; null when nobody may be believed. */
	authenticate(credentials: Credentials): Promise<Account | null>;
	/** Whether a device token opens the figures of GET /metrics. */
	maySeeFigures(credentials: Credentials): Promise<boolean>;
	/** Whether this account may act at this moment in this role; asked again before something agreed earlier is done. */
	holdsRole(tx: Tx, accountId: string, role: Role): Promise<boolean>;
	/** Accounts of these addresses that may act in this role; one that may not is not in the answer. */
	accountsOfRole(tx: Tx, emails: readonly string[], role: Role): Promise<string[]>;
	/** Who has a role and may sign in, by name. */
	peopleOfRole(role: Role): Promise<{ id: string; name: string; email: string }[]>;
	/** Makes a token for a device and returns it: it is shown once, only its hash is kept. */
	createDeviceToken(actor: string, name: string, role: DeviceRole): Promise<string>;
	/** A session of this account ended: its sockets must go. */
	onSessionEnded: Signal<{ accountId: string }>;
}

export interface PeopleDeps {
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	record: Pick<Record, 'append'>;
	/** A demo or laboratory: demo accounts may sign in. */
	demo: boolean;
	demoPassword?: string | undefined;
	/** Told the path of the one-time administrator link when nobody could sign in otherwise. */
	onFirstStart: (path: string) => void;
}

export function createPeople(deps: PeopleDeps): People {
	const { db, clock, log, demo } = deps;
	const onSessionEnded = createSignal<{ accountId: string }>((error) =>
		log.error({ err: error }, 'a listener failed')
	);
	const sessions = createSessions({ ...deps, onEnded: onSessionEnded });
	const signIns = createSignIns({ ...deps, limit: createSignInLimit(clock) });
	let stopTimer: StopTimer = () => {};

	return {
		name: 'people',
		onSessionEnded,
		authenticate: sessions.authenticate,
		async maySeeFigures({ authorization }) {
			const bearer = readBearer(authorization);
			return bearer !== null && (await findDevice(db, hashToken(bearer)))?.role === 'metrics';
		},
		holdsRole: async (tx, accountId, role) => (await findActiveAccount(tx, accountId, demo))?.role === role,
		accountsOfRole: (tx, emails, role) => listAccountsOfRole(tx, { emails, role, demo }),
		peopleOfRole: (role) => listPeopleOfRole(db, { role, demo, limit: limits.people.listMax }),
		async createDeviceToken(actor, name, role) {
			const { token, sha256 } = createToken();
			const id = randomUUID();
			await db.transaction().execute(async (tx) => {
				await insertDeviceToken(tx, { sha256, id, name, role, at: clock.now() });
				await deps.record.append(tx, { actor, action: 'device.token', subject: id, after: { name, role } });
			});
			return token;
		},
		staffRoutes: (app) => peopleRoutes(app, sessions, signIns),
		async start() {
			if (demo && deps.demoPassword) await ensureDemoAccounts(db, clock, deps.demoPassword);
			else if (!(await hasRealAccount(db))) deps.onFirstStart(await createFirstLink(db, clock));
			stopTimer = clock.setInterval(
				() => void forgetSessions(db, clock.now()).catch(() => undefined),
				3_600_000
			);
		},
		async stop() {
			stopTimer();
		}
	};
}

/** Creates what is missing; another DEMO_PASSWORD than last time replaces the old one and ends the old sessions. */
async function ensureDemoAccounts(db: Db, clock: Clock, password: string): Promise<void> {
	const first = await findAccountByEmail(db, demoAccounts[0]!.email);
	const same = first?.demo === true && (await verifyPassword(password, first.passwordHash));
	// One password, so one hash: eight of them would only make the start slower.
	const passwordHash = same ? first.passwordHash : await hashPassword(password);
	await db.transaction().execute(async (tx) => {
		if (!same) await resetDemoPasswords(tx, passwordHash);
		for (const account of demoAccounts) {
			await insertAccount(tx, { id: randomUUID(), ...account, passwordHash, demo: true }, clock.now());
		}
	});
}

async function createFirstLink(db: Db, clock: Clock): Promise<string> {
	const { token, sha256 } = createToken();
	await saveFirstLink(db, sha256, clock.now() + limits.people.firstLinkMs);
	return `/first?token=${token}`;
}
