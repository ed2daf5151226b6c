import { Type, type Static } from 'typebox';
import type { Alarm, AlarmAside, AlarmSummary } from './alarms.ts';
import type { Dispatch, Team } from './dispatch.ts';
import type { Scanner } from './entries.ts';
import type { EntryGap } from './entry-reviews.ts';
import type { EvacuationState, Gate, GateProposal } from './gates.ts';
import type { Incident } from './incidents.ts';
import type { LevelRulesNow } from './level-rules.ts';
import type { LevelsState } from './levels.ts';
import { LocalText, Mark } from './quality.ts';
import type { Reduction } from './reductions.ts';
import type { SeasonPlan } from './season.ts';
import type { ConductorDecision, RoomHand, SpikeNow } from './spike.ts';
import type { LoadReason } from './sync.ts';
import type { CrowdTotal, Zone } from './zones.ts';

export const liveTopics = ['overview', 'spike', 'crowd', 'alarms', 'dispatch', 'levels', 'season'] as const;
export const LiveTopic = Type.Union(liveTopics.map((topic) => Type.Literal(topic)));
export type LiveTopic = (typeof liveTopics)[number];

/**
 * Keys and values of each topic's state. A topic is a flat map; a patch replaces whole values by key (or fields of them,
 * for who asked for that) and removes a key with null.
 */
export interface TopicState {
	overview: { bar: BarState };
	/** `decisions`: the last changes of the rate, newest first. */
	spike: { now: SpikeNow; decisions: ConductorDecision[]; hand: RoomHand };
	crowd: { total: CrowdTotal; proposals: GateProposal[]; evacuation: EvacuationState } & {
		[zone: `zone:${string}`]: Zone;
	} & { [gate: `gate:${string}`]: Gate } & { [gap: `gap:${string}`]: EntryGap } & {
		[scanner: `scanner:${string}`]: Scanner;
	} & { [reduction: `reduction:${string}`]: Reduction };
	/** Alarms that stand or are put aside; what is over goes. */
	alarms: { summary: AlarmSummary; aside: AlarmAside[] } & { [alarm: `alarm:${string}`]: Alarm };
	/** Teams, open orders and incidents; what is closed stays for half an hour. */
	dispatch: { [team: `team:${string}`]: Team } & { [dispatch: `dispatch:${string}`]: Dispatch } & {
		[incident: `incident:${string}`]: Incident;
	};
	/** `rules`: how each written rule stands, once a second. */
	levels: { state: LevelsState; rules: LevelRulesNow };
	season: { plan: SeasonPlan };
}

/** What the thin bar needs, on every screen. */
export const BarState = Type.Object({
	level: Type.Integer(),
	levelName: LocalText,
	/** The level is a drill. */
	levelExercise: Type.Optional(Type.Boolean()),
	/** Oldest of the figures on the wall, epoch ms. */
	dataAt: Type.Integer(),
	mark: Mark,
	/** Changes when a new version runs: an open wall offers to reload. */
	build: Type.String(),
	site: LocalText,
	timeZone: Type.String()
});
export type BarState = Static<typeof BarState>;

export const Snapshot = Type.Object({
	topic: LiveTopic,
	/** Changes when the server forgot its sequence (restart): ask again. */
	stream: Type.String(),
	seq: Type.Integer(),
	at: Type.Integer(),
	state: Type.Record(Type.String(), Type.Unknown())
});
export const Patch = Type.Object({
	topic: LiveTopic,
	stream: Type.String(),
	seq: Type.Integer(),
	at: Type.Integer(),
	/** Key to new value; null removes the key. */
	changes: Type.Record(Type.String(), Type.Unknown()),
	/**
	 * Key to those fields of its object that changed, to be laid over the object that the screen has. Comes only to clients
	 * that said `parts: true` in the handshake's `auth`; the others get whole values.
	 */
	parts: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())))
});
export interface Snapshot extends Omit<Static<typeof Snapshot>, 'topic'> {
	topic: LiveTopic;
}
export interface Patch extends Omit<Static<typeof Patch>, 'topic'> {
	topic: LiveTopic;
}
/** Sent at once after connecting, and then all the time. */
export const Heartbeat = Type.Object({
	at: Type.Integer(),
	/** Window of the first try after this server was lost, milliseconds: `Backoff.nameSpread`. */
	reconnectSpreadMs: Type.Optional(Type.Integer()),
	/**
	 * Window in which a screen comes back whose own network was away, milliseconds: so wide as the server needs for all its
	 * clients. Not one of them was told to wait, and few of them make no storm.
	 */
	networkSpreadMs: Type.Optional(Type.Integer())
});
export type Heartbeat = Static<typeof Heartbeat>;

/** `data` of a `connect_error` by which the server refused a socket; without it the network did. */
export interface ConnectRefusal {
	/**
	 * `not_signed_in`: signing in helps, waiting does not. `busy`, `too_many_connections`, `not_ready`: come back after
	 * `retryAfterSeconds` and up to half of it more.
	 */
	code: 'not_signed_in' | 'busy' | 'too_many_connections' | 'not_ready';
	reason?: LoadReason;
	retryAfterSeconds: number | null;
}

export type SubscribeAck = { ok: true } | { ok: false; code: string };

/** Socket.IO, namespace `/live`, WebSocket only. */
export interface ServerToClient {
	snapshot: (message: Snapshot) => void;
	patch: (message: Patch) => void;
	heartbeat: (message: Heartbeat) => void;
}
export interface ClientToServer {
	/** Joins a topic: the snapshot comes next. Joining again asks for a fresh snapshot. */
	subscribe: (topic: LiveTopic, ack: (answer: SubscribeAck) => void) => void;
	unsubscribe: (topic: LiveTopic, ack: (answer: SubscribeAck) => void) => void;
}

/** How often the server says that it is alive, and after how much silence a screen says that the link is dead. */
export const heartbeatEveryMs = 5_000;
export const linkDeadAfterMs = 15_000;
