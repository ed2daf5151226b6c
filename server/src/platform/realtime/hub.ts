import { randomUUID } from 'node:crypto';
import type { LiveTopic, Patch, Snapshot } from '../../../contract/index.ts';
import type { Clock, StopTimer } from '../clock.ts';
import { slimPatch } from './slim-patch.ts';

/** At most so many patches a second for each topic. */
const patchEveryMs = 250;

/** What one part of the server puts on the glass: a flat map of keys to values. */
export interface TopicHandle {
	/** Sets a value; nothing is sent when it equals, as JSON, what screens already show. */
	set(key: string, value: unknown): void;
	remove(key: string): void;
}

/** The way to the glass: leading edge of a change at once, then at most four times a second per topic. */
export interface Hub {
	topic(name: LiveTopic): TopicHandle;
	snapshot(name: LiveTopic): Snapshot;
	/** `slim` gives the same patch for screens that take parts. */
	onPatch(listener: PatchListener): () => void;
	stop(): void;
}

type PatchListener = (patch: Patch, slim: () => Patch) => void;

interface TopicRoom {
	readonly stream: string;
	seq: number;
	/** Key to JSON text: what every screen that is up to date shows. */
	readonly shown: Map<string, string>;
	/** Key to JSON text (null: removed), waiting for the next patch. */
	readonly pending: Map<string, string | null>;
	sentAt: number;
	stopTimer: StopTimer | null;
}

/** Pure fan-in: knows nothing of sockets. */
export function createHub(clock: Clock): Hub {
	const rooms = new Map<LiveTopic, TopicRoom>();
	const listeners = new Set<PatchListener>();

	const roomOf = (name: LiveTopic): TopicRoom => {
		let room = rooms.get(name);
		if (!room) {
			room = {
				stream: randomUUID(),
				seq: 0,
				shown: new Map(),
				pending: new Map(),
				sentAt: -Infinity,
				stopTimer: null
			};
			rooms.set(name, room);
		}
		return room;
	};

	const flush = (name: LiveTopic, room: TopicRoom) => {
		room.stopTimer = null;
		if (room.pending.size === 0) return;
		const changes: Record<string, unknown> = {};
		const before = new Map<string, string>();
		for (const [key, text] of room.pending) {
			const shown = room.shown.get(key);
			if (shown !== undefined) before.set(key, shown);
			if (text === null) room.shown.delete(key);
			else room.shown.set(key, text);
			changes[key] = text === null ? null : JSON.parse(text);
		}
		room.pending.clear();
		room.seq += 1;
		room.sentAt = clock.elapsedMs();
		const patch: Patch = { topic: name, stream: room.stream, seq: room.seq, at: clock.now(), changes };
		let slimmed: Patch | null = null;
		for (const listener of listeners) listener(patch, () => (slimmed ??= slimPatch(patch, before)));
	};

	const change = (name: LiveTopic, key: string, text: string | null) => {
		const room = roomOf(name);
		const now = room.shown.get(key) ?? null;
		if (now === text) room.pending.delete(key);
		else room.pending.set(key, text);
		if (room.stopTimer || room.pending.size === 0) return;
		const waitMs = room.sentAt + patchEveryMs - clock.elapsedMs();
		// The leading edge waits for the rest of this turn, so that one action is one patch.
		room.stopTimer = clock.setTimeout(() => flush(name, room), Math.max(0, waitMs));
	};

	return {
		topic: (name) => ({
			set: (key, value) => change(name, key, JSON.stringify(value)),
			remove: (key) => change(name, key, null)
		}),
		snapshot(name) {
			const room = roomOf(name);
			const state: Record<string, unknown> = {};
			for (const [key, text] of room.shown) state[key] = JSON.parse(text);
			return { topic: name, stream: room.stream, seq: room.seq, at: clock.now(), state };
		},
		onPatch(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		stop() {
			for (const room of rooms.values()) room.stopTimer?.();
			listeners.clear();
		}
	};
}
