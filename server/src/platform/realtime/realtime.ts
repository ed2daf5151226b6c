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
	type ServerToClient,
	type SubscribeAck
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Hub } from './hub.ts';

interface SocketData {
	account: Account;
	/** Topics whose patches were skipped: they get a snapshot when the screen has caught up. */
	behind: Set<LiveTopic>;
}
type LiveSocket = Socket<ClientToServer, ServerToClient, Record<string, never>, SocketData>;

/** Screens by socket: they subscribe to topics and nothing else; commands are REST only. */
export interface Realtime {
	attach(server: HttpServer): void;
	sockets(): number;
	/** Handshakes since the last call. */
	takeHandshakes(): number;
	/** Ends the sockets of an account whose session ended. */
	disconnectAccount(accountId: string): void;
	/** Asks again who everybody is, and ends the sockets of those who are nobody any more. */
	recheck(): Promise<void>;
	stop(): Promise<void>;
}

const isTopic = Compile(LiveTopic);

/** WebSocket only, namespace `/live`; a slow screen gets the newest state, never a backlog. */
export function createRealtime(deps: {
	hub: Hub;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	authenticate: (request: IncomingMessage, token: string | undefined) => Promise<Account | null>;
}): Realtime {
	const { hub, clock } = deps;
	let io: Server | null = null;
	let live: Namespace<ClientToServer, ServerToClient, Record<string, never>, SocketData> | null = null;
	let handshakes = 0;
	const bucket = { second: 0, used: 0 };
	const stops: StopTimer[] = [];
	const refused = deps.metrics.counter('marsad_sockets_refused_total', 'Sockets refused, by reason', [
		'reason'
	]);
	const skipped = deps.metrics.counter(
		'marsad_socket_patches_skipped_total',
		'Patches a slow screen did not get; it got the newest state'
	);

	const identify = (socket: LiveSocket) => {
		const token = socket.handshake.auth['token'];
		return deps.authenticate(socket.request, typeof token === 'string' ? token : undefined);
	};
	const admit = async (socket: LiveSocket): Promise<string | null> => {
		const second = Math.floor(clock.elapsedMs() / 1_000);
		if (second !== bucket.second) Object.assign(bucket, { second, used: 0 });
		handshakes += 1;
		bucket.used += 1;
		if (bucket.used > limits.realtime.handshakesPerSecond) return 'busy';
		if ((live?.sockets.size ?? 0) >= limits.realtime.socketsMax) return 'busy';
		const account = await identify(socket);
		if (!account) return 'not_signed_in';
		let ofAccount = 0;
		for (const other of live?.sockets.values() ?? [])
			if (other.data.account.id === account.id) ofAccount += 1;
		if (ofAccount >= limits.realtime.socketsPerAccountMax) return 'rate_limited';
		socket.data.account = account;
		socket.data.behind = new Set();
		return null;
	};

	const serve = (socket: LiveSocket) => {
		socket.on('subscribe', (topic, ack) => {
			const answer = typeof ack === 'function' ? ack : () => undefined;
			const refusal = checkSubscription(socket, topic);
			if (refusal) return answer(refusal);
			void socket.join(topic);
			answer({ ok: true });
			socket.emit('snapshot', hub.snapshot(topic));
		});
		socket.on('unsubscribe', (topic, ack) => {
			if (isTopic.Check(topic)) void socket.leave(topic);
			if (typeof ack === 'function') ack({ ok: true });
		});
	};

	/** Sends a patch to each screen of the topic that keeps up; the others wait for a snapshot. */
	const fanOut = () =>
		hub.onPatch((patch) => {
			for (const id of live?.adapter.rooms.get(patch.topic) ?? []) {
				const socket = live?.sockets.get(id);
				if (!socket) continue;
				if (isSlow(socket)) {
					socket.data.behind.add(patch.topic);
					skipped.inc();
				} else if (!socket.data.behind.has(patch.topic)) socket.emit('patch', patch);
			}
		});

	const catchUp = () => {
		for (const socket of live?.sockets.values() ?? []) {
			if (socket.data.behind.size === 0 || isSlow(socket)) continue;
			for (const topic of socket.data.behind) socket.emit('snapshot', hub.snapshot(topic));
			socket.data.behind.clear();
		}
	};

	return {
		attach(server) {
			io = new Server(server, {
				path: '/socket.io',
				transports: ['websocket'],
				serveClient: false,
				maxHttpBufferSize: limits.realtime.messageBytesMax,
				pingInterval: 10_000,
				pingTimeout: 10_000,
				allowRequest: (request, callback) => callback(null, isSameOrigin(request))
			});
			live = io.of('/live') as unknown as NonNullable<typeof live>;
			live.use((socket, next) => {
				void admit(socket).then(
					(reason) => {
						if (!reason) return next();
						refused.inc({ reason });
						next(
							Object.assign(new Error(reason), {
								data: { code: reason, retryAfterSeconds: reason === 'busy' ? 30 : null }
							})
						);
					},
					() =>
						next(Object.assign(new Error('not_ready'), { data: { code: 'not_ready', retryAfterSeconds: 5 } }))
				);
			});
			live.on('connection', serve);
			stops.push(
				fanOut(),
				clock.setInterval(catchUp, 250),
				clock.setInterval(() => live?.emit('heartbeat', { at: clock.now() }), heartbeatEveryMs)
			);
		},
		sockets: () => live?.sockets.size ?? 0,
		takeHandshakes() {
			const count = handshakes;
			handshakes = 0;
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
			await io?.close();
		}
	};
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
