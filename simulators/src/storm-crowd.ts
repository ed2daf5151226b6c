import { linkDeadAfterMs, type LiveTopic } from '@marsad/server/contract';
import { openStormSocket, type ScreenCopy, type StormSocket } from './storm-socket.ts';
import { stormTempers, type StormTemper } from './storm-tempers.ts';

/** Some that behave alike. */
export interface StormGroup {
	name: string;
	temper: StormTemper;
	sockets: number;
	/** They belong to so many providers or gate clusters, the same number each. */
	tenants: number;
}

/** What one group went through since the cut. */
export interface GroupFigures {
	name: string;
	temper: StormTemper;
	sockets: number;
	/** Moments of its attempts, ms after the cut. */
	attempts: number[];
	/** The same as planned: how late the timers of a busy machine are says nothing about the law. */
	planned: number[];
	/** Refusals by reason, and attempts that found nobody. */
	refused: Record<string, number>;
	unanswered: number;
	/** When each was back with a fresh state, ms after the cut. */
	backMs: number[];
	/** How long the attempt took that brought it back, to a fresh state, ms. */
	handshakeMs: number[];
}

/** One screen or phone. */
interface Client {
	group: number;
	tenant: string;
	socket: StormSocket | null;
	isLive: boolean;
	connectingSinceMs: number;
	stopTimer: () => void;
	back: ReturnType<(typeof stormTempers)[StormTemper]['create']>;
}

export interface StormCrowd {
	/** Lets everybody connect, so many a second, and waits until all who obey are live. @returns how many are */
	open(perSecond: number, patienceMs: number): Promise<number>;
	/** From now on figures are counted anew; `how` breaks the connections, and is waited for. */
	cut(how: () => unknown): Promise<void>;
	/** Breaks all connections here, without a word to anybody. */
	dropAll(): void;
	/** Waits until everybody is live. @returns true when they are */
	untilBack(patienceMs: number, who?: (group: StormGroup) => boolean): Promise<boolean>;
	figures(): GroupFigures[];
	/** What each shows now; null: nothing. */
	copies(group?: string): (ScreenCopy | null)[];
	close(): void;
}

const connectTimeoutMs = 10_000;
const watchEveryMs = 500;
const lookEveryMs = 100;

/** Thousands of screens and phones at one server, each with its own way to come back. */
export function createStormCrowd(options: {
	server: URL;
	cookie: string;
	topic: LiveTopic;
	groups: readonly StormGroup[];
	random: () => number;
	/** Names the tenants of this crowd. */
	run: string;
}): StormCrowd {
	const { server, cookie, topic, groups, random, run } = options;
	const now = () => performance.now();
	const clients = groups.flatMap(({ temper, sockets, tenants, name }, group) =>
		Array.from({ length: sockets }, (_, at): Client => ({
			...{
				group,
				tenant: `${run}-${name}-${at % tenants}`,
				socket: null,
				isLive: false,
				connectingSinceMs: 0
			},
			stopTimer: () => undefined,
			back: stormTempers[temper].create({ now, random })
		}))
	);
	let figures = newFigures(groups);
	let cutAtMs = now();
	let isClosed = false;

	const again = (client: Client, retryAfterSeconds: number | null) => {
		client.socket = null;
		client.isLive = false;
		if (isClosed) return;
		const delayMs = client.back.failed(retryAfterSeconds);
		figures[client.group]!.planned.push(now() + delayMs - cutAtMs);
		const timer = setTimeout(() => connect(client), delayMs);
		client.stopTimer = () => clearTimeout(timer);
	};
	const connect = (client: Client) => {
		const own = figures[client.group]!;
		own.attempts.push(now() - cutAtMs);
		client.connectingSinceMs = now();
		client.socket = openStormSocket(
			server,
			{ cookie, topic, auth: { simulatedTenant: client.tenant } },
			{
				onSpread: (ms) => client.back.nameSpread(ms),
				onLive() {
					if (client.isLive) return;
					client.isLive = true;
					client.back.succeeded();
					own.backMs.push(now() - cutAtMs);
					own.handshakeMs.push(now() - client.connectingSinceMs);
				},
				onRefused({ code = 'unknown', reason, retryAfterSeconds = null }) {
					const why = reason ?? code;
					own.refused[why] = (own.refused[why] ?? 0) + 1;
					again(client, retryAfterSeconds);
				},
				onGone() {
					if (!client.isLive) own.unanswered += 1;
					again(client, null);
				}
			}
		);
	};
	/** A dead link is noticed by its silence, as the web does; an attempt without an answer ends. */
	const watch = setInterval(() => {
		for (const client of clients) {
			const { socket } = client;
			if (!socket) continue;
			const isDead = client.isLive
				? now() - socket.heardMs() > linkDeadAfterMs
				: now() - client.connectingSinceMs > connectTimeoutMs;
			if (!isDead) continue;
			socket.drop();
			if (!client.isLive) figures[client.group]!.unanswered += 1;
			again(client, null);
		}
	}, watchEveryMs);

	const untilBack = async (patienceMs: number, who: (group: StormGroup) => boolean) => {
		const waited = clients.filter(({ group }) => who(groups[group]!));
		for (const endsAtMs = now() + patienceMs; now() < endsAtMs; await pause(lookEveryMs))
			if (waited.every(({ isLive }) => isLive)) return true;
		return waited.every(({ isLive }) => isLive);
	};

	return {
		async open(perSecond, patienceMs) {
			const beganMs = now();
			for (const [at, client] of clients.entries()) {
				const dueMs = beganMs + (at / perSecond) * 1_000;
				if (dueMs > now()) await pause(dueMs - now());
				connect(client);
			}
			// Who obeys nothing may be kept out.
			await untilBack(patienceMs, ({ temper }) => temper === 'obedient');
			return clients.filter(({ isLive }) => isLive).length;
		},
		async cut(how) {
			figures = newFigures(groups);
			cutAtMs = now();
			await how();
		},
		dropAll() {
			for (const client of clients) {
				client.stopTimer();
				client.socket?.drop();
				again(client, null);
			}
		},
		untilBack: (patienceMs, who = () => true) => untilBack(patienceMs, who),
		figures: () => figures,
		copies: (name) =>
			clients
				.filter(({ group }) => name === undefined || groups[group]!.name === name)
				.map(({ socket, isLive }) => (isLive ? (socket?.copy() ?? null) : null)),
		close() {
			isClosed = true;
			clearInterval(watch);
			for (const { socket, stopTimer } of clients) {
				stopTimer();
				socket?.drop();
			}
		}
	};
}

const newFigures = (groups: readonly StormGroup[]): GroupFigures[] =>
	groups.map(({ name, temper, sockets }) => ({
		...{
			name,
			temper,
			sockets,
			attempts: [],
			planned: [],
			refused: {},
			unanswered: 0,
			backMs: [],
			handshakeMs: []
		}
	}));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
