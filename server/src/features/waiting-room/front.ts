import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Booking, IdentifiableRequest, Identity } from '../booking/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Refusal } from './desk.ts';
import { createBallotLife } from './ballot/ballot-life.ts';
import { ballotRoutes, ballotStaffRoutes, type BallotCalls } from './ballot/ballot-routes.ts';
import { createBeacon, type Beacon } from './draw/beacon.ts';
import { drawRoutes } from './draw/draw-routes.ts';
import { createRegistrar } from './draw/registrar.ts';
import { createPreQueue, type PreQueue } from './pre-queue.ts';
import { prepareRoutes, type AskEligibility } from './prepare-routes.ts';
import type { Queue } from './queue.ts';
import { countPrepared, forgetPrepared } from './ready-store.ts';
import { createReadyCodec, readyPrefix } from './ready.ts';
import { createRoomLife, type RoomLife } from './room-life.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { createVisitors, type Seen } from './visitor.ts';
import type { RoomKey } from './waiting-room-store.ts';

/** What stands in front of the room: preparation, schedule, pre-queue and draw, and who comes to the door. */
export interface Front {
	life: RoomLife;
	preQueue: PreQueue;
	see(request: FastifyRequest): Promise<Seen>;
	/** People who hold a "ready", a few seconds old. */
	prepared(): number;
	hotRoutes(app: HotApp): void;
	staffRoutes(app: StaffApp): void;
	start(): Promise<void>;
	stop(): Promise<void>;
	/** Laboratory: everything as on the first day. */
	forget(): Promise<void>;
}

export interface FrontDeps {
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	flags: Pick<Flags, 'isOn'>;
	record: TheRecord;
	identity: Identity;
	queue: Queue;
	key: RoomKey;
	secret: string;
	instance: string | undefined;
	/** Address of a public beacon for the draw. */
	randomnessUrl: string | undefined;
	/** Demo and laboratory. */
	simulated: boolean;
	booking: Partial<Pick<Booking, 'checkEligibility' | 'setPreparedReader' | 'ballots'>>;
	random: () => number;
	onChange: () => void;
	onRefusal: (why: Refusal) => void;
}

const countEveryMs = 5_000;
const closedRetrySeconds = 60;

export function createFront(deps: FrontDeps): Front {
	const { db, clock, key, secret, identity } = deps;
	const { season, room } = key;
	const shared = {
		...{ ...deps, worker: deps.instance ?? randomUUID(), onRefusal: () => deps.onRefusal('busy') },
		beacon: deps.randomnessUrl === undefined ? null : createBeacon(deps.randomnessUrl)
	};
	const life = createRoomLife(shared);
	const preQueue = createPreQueue({ ...deps, life, scope: [season, room] });
	const codec = createReadyCodec({ secret, season, now: () => clock.now() });
	identity.readTokensBy((token) => {
		if (!token.startsWith(readyPrefix)) return null;
		const ready = codec.read(token);
		if (!ready) throw new AppError('ready_invalid');
		return { holder: ready.holder };
	});
	const readyOf = (request: IdentifiableRequest) => {
		const token = /^Bearer +([^\s]+)$/i.exec(request.headers?.authorization ?? '')?.[1];
		return token?.startsWith(readyPrefix) ? codec.read(token) : null;
	};
	deps.booking.setPreparedReader?.((request, holder) => {
		const ready = readyOf(request);
		return ready?.holder === holder ? ready.attributes : null;
	});
	const see = createVisitors({ identity, secret, partyOf: (request) => readyOf(request)?.party ?? null });
	const askEligibility = deps.booking.checkEligibility ?? nobodyChecks;
	const ballots = openBallots(shared, life, { askEligibility, readyOf });
	/** No new places: whoever would register or prepare for one comes back later, not all at once. */
	const refuseNew = () => {
		if (deps.flags.isOn('joins')) return;
		deps.onRefusal('joins_closed');
		throw new AppError('joins_closed', {}, Math.ceil(closedRetrySeconds * (1 + deps.random() / 2)));
	};
	let prepared = 0;
	let stopTimer: StopTimer = () => {};
	const count = async () => {
		prepared = await countPrepared(db, season);
	};

	return {
		life,
		preQueue,
		see,
		prepared: () => prepared,
		hotRoutes(app) {
			prepareRoutes(app, {
				...deps,
				codec,
				season,
				refuseNew,
				askEligibility: deps.booking.checkEligibility ?? nobodyChecks
			});
			drawRoutes(app, { ...deps, keysOf: life.keysOf, see });
			if (ballots) ballotRoutes(app, { ...ballots.calls, refuseNew });
		},
		staffRoutes(app) {
			scheduleRoutes(app, { ...deps, life });
			if (ballots) ballotStaffRoutes(app, ballots.calls);
		},
		async start() {
			await life.start();
			await ballots?.start();
			await count();
			stopTimer = clock.setInterval(() => void count().catch(() => undefined), countEveryMs);
		},
		async stop() {
			stopTimer();
			await ballots?.stop();
			await life.stop();
		},
		async forget() {
			await forgetPrepared(db, season);
			await life.forget();
			await ballots?.calls.life.refresh();
			await count();
		}
	};
}

const nobodyChecks: AskEligibility = () => Promise.resolve({ eligible: true });

/** Ballots, where booking can book what they give. */
function openBallots(
	deps: FrontDeps & { worker: string; beacon: Beacon | null; onRefusal: () => void },
	{ keysOf }: RoomLife,
	of: Pick<BallotCalls, 'askEligibility' | 'readyOf'>
) {
	const booking = deps.booking.ballots;
	if (!booking) return null;
	const registrar = createRegistrar(deps);
	const life = createBallotLife({ ...deps, booking, registrar, keysOf });
	const listSlots = async () => (await booking.listLevels()).slots.map(({ id }) => id);
	const epoch = () => deps.queue.figures().epoch;
	const calls: BallotCalls = { ...deps, ...of, life, keysOf, listSlots, epoch };
	return {
		calls,
		start: () => life.start(),
		async stop() {
			await life.stop();
			await registrar.close();
		}
	};
}
