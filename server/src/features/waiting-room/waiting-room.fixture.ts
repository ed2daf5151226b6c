import type { Account, Progress } from '../../../contract/index.ts';
import type { TestDatabase } from '../../../test/kit/test-database.ts';
import { createConductor } from '../../conductor/conductor.ts';
import { createTestClock, type TestClock } from '../../platform/clock.ts';
import { createFlags } from '../../platform/flags/flags.ts';
import { buildHttp } from '../../platform/http/build.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createSignal } from '../../platform/signal.ts';
import { createIdentity, type Booking, type VerifyPass } from '../booking/index.ts';
import { createRecord } from '../record/index.ts';
import { createWaitingRoom, type WaitingRoom, type WaitingRoomDeps } from './index.ts';

const duty: Account = {
	id: 'duty',
	email: 'duty@example.org',
	name: 'duty',
	role: 'duty-manager'
} as Account;
let commands = 0;

/** The feature behind real HTTP handling and a real PostgreSQL; time moves by hand. */
export async function createStand(
	test: TestDatabase,
	options: Partial<WaitingRoomDeps> & {
		room: string;
		port?: Partial<Pick<Booking, 'checkEligibility' | 'availability' | 'findPermitOf'>>;
	}
) {
	const { db } = test.database;
	const clock: TestClock = createTestClock();
	const log = createLog('silent');
	const flags = createFlags(null);
	const conductor = createConductor({ clock, log });
	const booked = createSignal<never>(() => undefined) as unknown as WaitingRoomDeps['booking']['booked'];
	let verifyPass: VerifyPass = () => null;
	const resets: (() => void | Promise<void>)[] = [];
	const identity = createIdentity({ secret: 'a secret', believeUser: true });
	const record = createRecord({ db, clock });
	const metrics = createMetrics();
	const feature: WaitingRoom = createWaitingRoom({
		...{ db, clock, log, flags, metrics, record, identity, conductor },
		booking: {
			setPassVerifier: (verify) => void (verifyPass = verify),
			booked,
			onReset: (run) => void resets.push(run),
			registerStats: () => undefined,
			...options.port
		},
		secret: 'a master secret of the tests',
		season: 'demo',
		mark: 'simulated',
		admitPerSecond: { value: 0.5, measured: true },
		laboratory: false,
		level: () => 0,
		random: () => 0.5,
		...options
	});
	const app = buildHttp(log);
	app.addHook('onRequest', async (request) => {
		request.account = duty;
	});
	feature.hotRoutes!(app);
	feature.staffRoutes!(app);
	await app.ready();
	await feature.start!();
	await conductor.turn();
	const pass = async (ms: number) => {
		for (let passed = 0; passed < ms; passed += 50) {
			clock.advance(Math.min(50, ms - passed));
			if (passed % 1_000 === 0) await conductor.turn();
			await new Promise((resolve) => setTimeout(resolve, 2));
		}
	};
	const call = async (
		method: 'GET' | 'POST' | 'PUT',
		url: string,
		body?: unknown,
		headers: Record<string, string> = {}
	) => {
		let settled = false;
		const request = { method, url, headers, ...(body === undefined ? {} : { payload: body as object }) };
		const pending = app.inject(request).finally(() => (settled = true));
		while (!settled) await pass(5);
		const answer = await pending;
		const isJson = /json/.test(String(answer.headers['content-type']));
		return {
			status: answer.statusCode,
			body: isJson ? answer.json() : answer.body,
			headers: answer.headers
		};
	};
	return {
		...{ clock, flags, conductor, feature, call, pass, identity, booked },
		verifyPass: (token: string, user: string) => verifyPass(token, identity.holderOf(user)),
		reset: async () => {
			for (const run of resets) {
				let settled = false;
				const pending = Promise.resolve(run()).finally(() => (settled = true));
				while (!settled) await pass(5);
				await pending;
			}
		},
		async until(condition: () => boolean) {
			for (let i = 0; i < 2_000 && !condition(); i++) await pass(50);
			if (!condition()) throw new Error('it never came to be');
		},
		/** A staff command, under a key of its own. */
		staff: (method: 'POST' | 'PUT', url: string, body: object, headers: Record<string, string> = {}) =>
			call(method, url, body, { 'idempotency-key': `command ${commands++}`, ...headers }),
		progress: async () => (await call('GET', '/queue/progress')).body as Progress,
		join: (user: string) => call('POST', '/queue/join', { user }),
		rate: (perSecond: number) =>
			call(
				'PUT',
				'/api/v1/queue/rate',
				{ perSecond, reason: 'a test' },
				{ 'idempotency-key': `rate ${commands++}` }
			),
		async close() {
			clock.advance(1_000);
			await feature.stop!();
			await app.close();
			metrics.stop();
		}
	};
}
