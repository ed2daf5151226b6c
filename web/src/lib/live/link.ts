import {
	createBackoff,
	heartbeatEveryMs,
	linkDeadAfterMs,
	type ConnectRefusal,
	type Heartbeat,
	type LiveTopic,
	type SubscribeAck
} from '@marsad/server/contract';
import { createClockOffset } from './clock-offset.ts';
import { applyPatch, applySnapshot, type TopicCopy } from './topic-state.ts';

/** The part of a socket.io client that the link uses; tests stand in for it. */
export interface LinkSocket {
	on(event: string, listener: (...args: never[]) => void): unknown;
	emit(event: 'subscribe' | 'unsubscribe', topic: LiveTopic, ack: (answer: SubscribeAck) => void): unknown;
	connect(): unknown;
	disconnect(): unknown;
}

/** Where the link stands. Times are this device's epoch ms. */
export type LinkState =
	| { kind: 'connecting' }
	| { kind: 'live' }
	/** `since`: when the last sign of life came; `retryAt`: when the next attempt starts. */
	| { kind: 'lost'; since: number; retryAt: number }
	/** The session is gone, or the role may not watch: trying again would not help. */
	| { kind: 'refused'; code: string }
	/** The tab is hidden: nothing is received and nothing is spent. */
	| { kind: 'resting' };

export interface LinkDeps {
	socket: LinkSocket;
	now: () => number;
	random: () => number;
	setTimer: (action: () => void, ms: number) => () => void;
	onState: (state: LinkState) => void;
	/** Newest copies, after each message: the caller gathers them once per frame. */
	onCopies: (copies: ReadonlyMap<LiveTopic, TopicCopy>) => void;
	onOffset: (offsetMs: number) => void;
	/** Something arrived: epoch ms of this device. */
	onHeard: (at: number) => void;
	onDropped?: (count: number) => void;
}

const connectTimeoutMs = 10_000;
/** What a server may name at the most: as for the other window. */
const networkWindowMsMax = 600_000;

function windowOf(named: unknown): number | null {
	const isSound = typeof named === 'number' && Number.isFinite(named) && named >= 0;
	return isSound ? Math.min(named, networkWindowMsMax) : null;
}

const finalCodes = new Set(['not_signed_in', 'forbidden']);

/**
 * One connection to the live feed: subscribes, patches, notices a dead link by its silence, and comes back after
 * a random time so that a thousand screens do not return in the same second.
 */
export function createLink(deps: LinkDeps) {
	const { socket, now } = deps;
	const wanted = new Set<LiveTopic>();
	let copies = new Map<LiveTopic, TopicCopy>();
	const asked = new Map<LiveTopic, number>();
	const offset = createClockOffset();
	let state: LinkState = { kind: 'resting' };
	const backoff = createBackoff({ now, random: deps.random });
	let heardAt = now();
	let stopWatch = () => {};
	let stopRetry = () => {};
	/** The server said when to come back: never earlier by itself. */
	let isAsked = false;
	/** Window for a return of this device's own network; null: the server has named none. */
	let networkWindowMs: number | null = null;

	const enter = (next: LinkState) => {
		state = next;
		deps.onState(next);
	};

	/** Asks for a snapshot, at most once in two seconds for a topic: a broken stream must not become a flood. */
	const ask = (topic: LiveTopic) => {
		if (now() - (asked.get(topic) ?? -Infinity) < 2_000) return;
		asked.set(topic, now());
		socket.emit('subscribe', topic, (answer) => {
			if (!answer.ok && finalCodes.has(answer.code)) refuse(answer.code);
		});
	};

	const refuse = (code: string) => {
		stopTimers();
		socket.disconnect();
		enter({ kind: 'refused', code });
	};

	const stopTimers = () => {
		stopWatch();
		stopRetry();
	};

	const heard = () => {
		heardAt = now();
		deps.onHeard(heardAt);
		stopWatch();
		stopWatch = deps.setTimer(() => lose(), linkDeadAfterMs);
	};

	/** @param retryAfterSeconds what the server asked for, if it did */
	const lose = (retryAfterSeconds?: number | null) => {
		if (state.kind === 'refused' || state.kind === 'resting' || state.kind === 'lost') return;
		stopTimers();
		socket.disconnect();
		isAsked = typeof retryAfterSeconds === 'number';
		dialIn(backoff.failed(retryAfterSeconds));
	};

	const dialIn = (delayMs: number) => {
		stopRetry();
		enter({ kind: 'lost', since: heardAt, retryAt: now() + delayMs });
		stopRetry = deps.setTimer(dial, delayMs);
	};

	const dial = () => {
		stopTimers();
		enter({ kind: 'connecting' });
		stopWatch = deps.setTimer(() => lose(), connectTimeoutMs);
		socket.connect();
	};

	socket.on('connect', () => {
		if (state.kind === 'resting') return;
		offset.forget();
		asked.clear();
		heard();
		for (const topic of wanted) ask(topic);
		backoff.succeeded();
	});
	socket.on('connect_error', (error: { data?: Partial<ConnectRefusal> }) => {
		const { code, retryAfterSeconds } = error?.data ?? {};
		if (code !== undefined && finalCodes.has(code)) refuse(code);
		else lose(retryAfterSeconds);
	});
	socket.on('disconnect', () => lose());
	socket.on('heartbeat', (message: Partial<Heartbeat>) => {
		if (typeof message?.at !== 'number') return;
		backoff.nameSpread(message.reconnectSpreadMs);
		networkWindowMs = windowOf(message.networkSpreadMs);
		heard();
		deps.onOffset(offset.note(message.at, now()));
	});
	socket.on('snapshot', (message: unknown) => take(applySnapshot(message)));
	socket.on('patch', (message: unknown) => take(applyPatch(copies, message)));

	const take = (applied: ReturnType<typeof applySnapshot>) => {
		if (state.kind === 'resting' || state.kind === 'refused') return;
		heard();
		if (applied.kind === 'malformed') return deps.onDropped?.(1);
		if (!applied.topic || !wanted.has(applied.topic)) return;
		if (applied.kind === 'gap') return ask(applied.topic);
		if (applied.dropped > 0) deps.onDropped?.(applied.dropped);
		deps.onOffset(offset.note(applied.copy.at, now()));
		copies = new Map(copies).set(applied.topic, applied.copy);
		deps.onCopies(copies);
		// "Live" is said when a fresh state is here, not when a socket opened.
		if (state.kind !== 'live') enter({ kind: 'live' });
	};

	return {
		want(topics: readonly LiveTopic[]) {
			for (const topic of topics) {
				if (wanted.has(topic)) continue;
				wanted.add(topic);
				if (state.kind === 'live') ask(topic);
			}
		},
		/** Starts, or tries again now: after a hidden tab returns, after signing in, or because a person asks. */
		start() {
			if (state.kind === 'live' || state.kind === 'connecting') return;
			dial();
		},
		/**
		 * The network says it is back. It may be so for everybody in the same second: the server has named the window that it
		 * needs for all of them, next to nothing for a few. Without one it is the first window.
		 */
		networkBack() {
			// It has missed a beat: what is left of the old connection would only wait for its own time-outs.
			if (state.kind === 'live' && now() - heardAt > heartbeatEveryMs * 1.5) lose();
			if (state.kind !== 'lost' || isAsked) return;
			const delayMs = networkWindowMs === null ? backoff.firstWindow() : deps.random() * networkWindowMs;
			if (now() + delayMs < state.retryAt) dialIn(delayMs);
		},
		/** Lets go of everything while nobody looks; what is known stays on the screen with its age. */
		rest() {
			stopTimers();
			enter({ kind: 'resting' });
			socket.disconnect();
		}
	};
}

export type Link = ReturnType<typeof createLink>;
