import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { Compile } from 'typebox/compile';
import { Server, type Namespace, type Socket } from 'socket.io';
import {
	LiveTopic,
	heartbeatEveryMs,
	topicRoles,
	type Account,
	type ClientToServer,
	type ConnectRefusal,
	type Patch,
	type ServerToClient,
	type SubscribeAck
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Hub } from './hub.ts';
import { createSnapshotBatches } from './snapshot-batches.ts';
import { createSocketDoor, type Seat, type SocketDoor } from './socket-door.ts';

interface SocketData {
	account: Account;
	/** Gives its place back; a second time it does nothing. */
	leave: () => void;
	/** It lays changed fields over what it has. */
	takesParts: boolean;
	/** Topics whose patches were skipped: they get a snapshot when the screen has caught up. */
	behind: Set<LiveTopic>;
}
type LiveSocket = Socket<ClientToServer, ServerToClient, Record<string, never>, SocketData>;

/** Screens by socket: they subscribe to topics and nothing else; commands are REST only. */
export interface Realtime {
	attach(server: HttpServer): void;
	/** Connections, handshakes and refusals, and the window in which clients come back. */
	door: Pick<SocketDoor, 'connected' | 'take' | 'spreadMs'>;
	/** Screens that got the newest state instead of a backlog, since the last call. */
	takeSlow(): number;
	/** Ends the sockets of an account whose session ended. */
	disconnectAccount(accountId: string): void;
	/** Asks again who everybody is, and ends the sockets of those who are nobody any more. */
	recheck(): Promise<void>;
	stop(): Promise<void>;
}

const isTopic = Compile(LiveTopic);
/** Who has not said by then where it wants to is sent away; who was refused is, too. */
const connectTimeoutMs = 10_000;

/** WebSocket only, namespace `/live`; a slow screen gets the newest state, never a backlog. */
export function createRealtime(deps: {
	hub: Hub;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	authenticate: (request: IncomingMessage, token: string | undefined) => Promise<Account | null>;
	/** Who a client says it is, before anybody is asked. */
	claimOf: (request: IncomingMessage, auth: Readonly<Record<string, unknown>>) => string;
	/** Whose connection it is; `auth` is what the client sent with the handshake. */
	seatOf: (account: Account, auth: Readonly<Record<string, unknown>>) => Seat;
}): Realtime {
	const { hub, clock } = deps;
	let io: Server | null = null;
	let live: Namespace<ClientToServer, ServerToClient, Record<string, never>, SocketData> | null = null;
	let slow = 0;
	let waiting = 0;
	/** Screens that are behind in a topic. */
	const lagging = new Set<LiveSocket>();
	const stops: StopTimer[] = [];
	const { door, skipped } = createDoor(deps);

	const identify = (socket: LiveSocket) => {
		const token = socket.handshake.auth['token'];
		return deps.authenticate(socket.request, typeof token === 'string' ? token : undefined);
	};
	const admit = async (socket: LiveSocket): Promise<ConnectRefusal | null> => {
		const tooMany = door.enter(deps.claimOf(socket.request, socket.handshake.auth));
		if (tooMany) return tooMany;
		if (waiting >= limits.realtime.handshakesWaiting)
			return door.refuse({ code: 'busy', reason: 'queue-full', retryAfterSeconds: 30 });
		waiting += 1;
		const account = await identify(socket).finally(() => (waiting -= 1));
		if (!account) return door.refuse({ code: 'not_signed_in', retryAfterSeconds: null });
		// Gone while it was asked who it is: nobody would give its place back.
		if (!isOpen(socket)) return door.refuse({ code: 'busy', reason: 'too-late', retryAfterSeconds: null });
		const seat = deps.seatOf(account, socket.handshake.auth);
		const full = door.sit(seat);
		if (full) return full;
		let isSeated = true;
		const leave = () => {
			if (isSeated) door.leave(seat);
			isSeated = false;
		};
		// Also when it never came to be a socket.
		socket.conn.once('close', leave);
		socket.data.account = account;
		socket.data.takesParts = socket.handshake.auth['parts'] === true;
		socket.data.leave = leave;
		socket.data.behind = new Set();
		return null;
	};

	const heartbeat = () => ({
		...{ at: clock.now(), reconnectSpreadMs: door.spreadMs(), networkSpreadMs: door.networkSpreadMs() }
	});
	const serve = (socket: LiveSocket) => {
		socket.emit('heartbeat', heartbeat());
		socket.on('subscribe', (topic, ack) => {
			const answer = typeof ack === 'function' ? ack : () => undefined;
			const refusal = checkSubscription(socket, topic);
			if (refusal) return answer(refusal);
			answer({ ok: true });
			snapshots.ask(topic, socket);
		});
		socket.on('unsubscribe', (topic, ack) => {
			if (isTopic.Check(topic)) {
				void socket.leave(roomOf(topic, socket.data.takesParts));
				socket.data.behind.delete(topic);
				snapshots.forget(socket, topic);
			}
			if (typeof ack === 'function') ack({ ok: true });
		});
		socket.on('disconnect', () => {
			snapshots.forget(socket);
			lagging.delete(socket);
			socket.data.leave();
		});
	};

	/** From here on it gets patches, and this is what they stand on; put into words once for all. */
	const snapshots = createSnapshotBatches<LiveSocket>(clock, (topic, sockets) => {
		const there = [...sockets].filter(({ connected }) => connected);
		for (const socket of there) {
			void socket.join(roomOf(topic, socket.data.takesParts));
			socket.data.behind.delete(topic);
		}
		if (there.length > 0) live?.to(there.map(({ id }) => id)).emit('snapshot', hub.snapshot(topic));
	});
	/** Sends a patch to the screens of the topic that keep up; the others leave it and wait for a snapshot. */
	const fanOut = () =>
		hub.onPatch((patch, slim) => {
			send(patch.topic, false, () => patch);
			send(patch.topic, true, slim);
		});
	const send = (topic: LiveTopic, parts: boolean, patch: () => Patch) => {
		const name = roomOf(topic, parts);
		const room = live?.adapter.rooms.get(name);
		if (!live || !room) return;
		for (const id of [...room]) {
			const socket = live.sockets.get(id);
			if (!socket || !isSlow(socket)) continue;
			void socket.leave(name);
			socket.data.behind.add(topic);
			lagging.add(socket);
			skipped.inc();
			slow += 1;
		}
		if (room.size > 0) live.to(name).emit('patch', patch());
	};

	const catchUp = () => {
		for (const socket of lagging) {
			if (isSlow(socket)) continue;
			lagging.delete(socket);
			for (const topic of socket.data.behind) snapshots.ask(topic, socket);
		}
	};

	return {
		attach(server) {
			io = new Server(server, {
				path: '/socket.io',
				transports: ['websocket'],
				serveClient: false,
				maxHttpBufferSize: limits.realtime.messageBytesMax,
				pingInterval: limits.realtime.pingEveryMs,
				pingTimeout: limits.realtime.pingTimeoutMs,
				connectTimeout: connectTimeoutMs,
				allowRequest: (request, callback) => callback(null, isSameOrigin(request) && door.knock())
			});
			live = io.of('/live') as unknown as NonNullable<typeof live>;
			live.use((socket, next) => {
				void admit(socket).then(
					(refusal) => next(refusal ? withData(refusal) : undefined),
					() => next(withData(door.refuse({ code: 'not_ready', retryAfterSeconds: 5 })))
				);
			});
			live.on('connection', serve);
			stops.push(
				fanOut(),
				clock.setInterval(catchUp, 250),
				clock.setInterval(() => live?.emit('heartbeat', heartbeat()), heartbeatEveryMs)
			);
		},
		door,
		takeSlow() {
			const count = slow;
			slow = 0;
			return count;
		},
		disconnectAccount(accountId) {
			for (const socket of live?.sockets.values() ?? [])
				if (socket.data.account.id === accountId) socket.disconnect(true);
		},
		async recheck() {
			for (const socket of live?.sockets.values() ?? []) {
				// Who cannot be asked is not thrown out.
				const known = await identify(socket).catch(() => socket.data.account);
				if (!known) socket.disconnect(true);
			}
		},
		async stop() {
			for (const stop of stops) stop();
			snapshots.stop();
			await io?.close();
		}
	};
}

function createDoor({ clock, metrics }: { clock: Clock; metrics: Metrics }) {
	const refused = metrics.counter('marsad_sockets_refused_total', 'Sockets refused, by reason', ['reason']);
	const skipped = metrics.counter(
		'marsad_socket_patches_skipped_total',
		'Times a slow screen left the patches of a topic, to get the newest state later'
	);
	const door = createSocketDoor({
		elapsedMs: () => clock.elapsedMs(),
		random: Math.random,
		onRefused: (reason) => refused.inc({ reason })
	});
	return { door, skipped };
}

/** Screens of a topic that take parts, and those that take whole values. */
const roomOf = (topic: LiveTopic, parts: boolean): string => (parts ? `${topic} in parts` : topic);

const withData = (data: ConnectRefusal) => Object.assign(new Error(data.code), { data });

function isOpen(socket: LiveSocket): boolean {
	return (socket.conn as unknown as { readyState: string }).readyState === 'open';
}

function checkSubscription(socket: LiveSocket, topic: unknown): SubscribeAck | null {
	if (!isTopic.Check(topic)) return { ok: false, code: 'bad_request' };
	if (!topicRoles[topic as LiveTopic].includes(socket.data.account.role))
		return { ok: false, code: 'forbidden' };
	if (socket.rooms.size > limits.realtime.topicsPerSocketMax) return { ok: false, code: 'rate_limited' };
	return null;
}

/** A screen is slow when its packets pile up here instead of leaving. */
function isSlow(socket: LiveSocket): boolean {
	const { conn } = socket as unknown as {
		conn: { writeBuffer: unknown[]; transport: { writable: boolean } };
	};
	return conn.writeBuffer.length > limits.realtime.bufferedPacketsMax;
}

/** Browsers send Origin with a WebSocket: another site may not listen. */
function isSameOrigin(request: IncomingMessage): boolean {
	const { origin, host } = request.headers;
	if (origin === undefined) return true;
	try {
		return new URL(origin).host === host;
	} catch {
		return false;
	}
}

/** Names this process among instances; new at every start. */
export const newInstanceId = (): string => randomUUID();
