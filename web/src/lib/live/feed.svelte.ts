import type {
	BarState,
	ClientToServer,
	ConductorDecision,
	CrowdTotal,
	EntryGap,
	EvacuationState,
	Gate,
	GateProposal,
	LevelRulesNow,
	LevelsState,
	LiveTopic,
	Reduction,
	RoomHand,
	Scanner,
	SeasonPlan,
	ServerToClient,
	SpikeNow,
	Zone
} from '@marsad/server/contract';
import type { Alarm, AlarmAside, AlarmSummary, Dispatch, Incident, Team } from '@marsad/server/contract';
import { io, type Socket } from 'socket.io-client';
import { clock } from '#lib/clock.svelte.ts';
import type { LinkAge } from '#lib/quality.ts';
import { createLink, type Link, type LinkSocket, type LinkState } from './link.ts';
import type { TopicCopy } from './topic-state.ts';

/** Topics that every screen of the control room shows or warns about. */
const topics: readonly LiveTopic[] = ['overview', 'spike', 'crowd', 'levels', 'alarms', 'dispatch', 'season'];
/** All that a phone in the field watches. */
export const fieldTopics: readonly LiveTopic[] = ['dispatch'];
const freezeForMs = 5 * 60_000;

/** The values of one kind in a topic. */
function valuesOf<T>(copy: TopicCopy | null, prefix: string): readonly T[] {
	return [...(copy?.values ?? [])].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value as T);
}

/** The newest state of everything live, and how far it can be trusted. Maps are replaced once per frame. */
class Feed {
	state = $state.raw<LinkState>({ kind: 'connecting' });
	/** When the last sign of life came before the loss, server time; null while the link is there. */
	lostSince = $state<number | null>(null);
	/** Server time of the view's freezing; null when it runs. */
	frozenAt = $state<number | null>(null);
	/** The moment that the view shows: charts end there, and stand still when it does. */
	readonly shownAt = $derived(this.frozenAt ?? clock.now);
	/** Counts the returns of the link, and of a view that stood still: what was fetched before may have a hole since. */
	returns = $state(0);
	#heardAt = $state(0);
	#copies = $state.raw<ReadonlyMap<LiveTopic, TopicCopy>>(new Map());
	#newest: ReadonlyMap<LiveTopic, TopicCopy> = new Map();
	#frame = 0;
	#thaw: ReturnType<typeof setTimeout> | undefined;
	#link: Link | null = null;
	#firstBuild: string | null = null;

	#value<T>(topic: LiveTopic, key: string): T | null {
		return (this.#copies.get(topic)?.values.get(key) as T | undefined) ?? null;
	}
	readonly bar = $derived(this.#value<BarState>('overview', 'bar'));
	readonly spike = $derived(this.#value<SpikeNow>('spike', 'now'));
	/** The last changes of the admission rate, newest first; null before they were told. */
	readonly decisions = $derived(this.#value<ConductorDecision[]>('spike', 'decisions'));
	readonly hand = $derived(this.#value<RoomHand>('spike', 'hand'));
	readonly levels = $derived(this.#value<LevelsState>('levels', 'state'));
	/** How each written rule stands; null before it was told. */
	readonly levelRules = $derived(this.#value<LevelRulesNow>('levels', 'rules'));
	/** The calendar of the season; null before it was told: that is not "nothing is planned". */
	readonly season = $derived(this.#value<SeasonPlan>('season', 'plan'));
	readonly total = $derived(this.#value<CrowdTotal>('crowd', 'total'));
	readonly #crowdCopy = $derived(this.#copies.get('crowd') ?? null);
	readonly zones = $derived(valuesOf<Zone>(this.#crowdCopy, 'zone:'));
	/** Zone by id, for the plan. */
	readonly zoneById = $derived(new Map(this.zones.map((zone) => [zone.id, zone])));
	readonly gates = $derived(valuesOf<Gate>(this.#crowdCopy, 'gate:'));
	readonly gateById = $derived(new Map(this.gates.map((gate) => [gate.id, gate])));
	/** Counted against scanned, by gate. */
	readonly gaps = $derived(valuesOf<EntryGap>(this.#crowdCopy, 'gap:'));
	readonly gapByGate = $derived(new Map(this.gaps.map((gap) => [gap.gate, gap])));
	/** Scanners that were not revoked. */
	readonly scanners = $derived(valuesOf<Scanner>(this.#crowdCopy, 'scanner:'));
	/** What the zones' written steps ask for at gates, worst first; null before it was told. */
	readonly proposals = $derived(this.#value<GateProposal[]>('crowd', 'proposals'));
	readonly evacuation = $derived(this.#value<EvacuationState>('crowd', 'evacuation'));
	/** Slots that shrink or close, and what lately came of others. */
	readonly reductions = $derived(valuesOf<Reduction>(this.#copies.get('crowd') ?? null, 'reduction:'));
	readonly link: LinkAge = $derived({ isLive: this.state.kind === 'live', heardAt: this.#heardAt });
	/** True once anything at all is known. */
	readonly hasState = $derived(this.#copies.size > 0);
	/** True when the server now runs another version than when this page was opened. */
	readonly isNewVersion = $derived(
		this.bar !== null && this.#firstBuild !== null && this.bar.build !== this.#firstBuild
	);

	// A topic that did not change is the same copy: what stands on it is not worked out again.
	readonly #alarmCopy = $derived(this.#copies.get('alarms') ?? null);
	readonly #dispatchCopy = $derived(this.#copies.get('dispatch') ?? null);
	/** Null before the alarms were told: that is not "no alarms". */
	readonly alarmSummary = $derived((this.#alarmCopy?.values.get('summary') ?? null) as AlarmSummary | null);
	readonly alarms = $derived(valuesOf<Alarm>(this.#alarmCopy, 'alarm:'));
	readonly alarmById = $derived(new Map(this.alarms.map((alarm) => [alarm.id, alarm])));
	readonly aside = $derived((this.#alarmCopy?.values.get('aside') ?? []) as readonly AlarmAside[]);
	readonly teams = $derived(valuesOf<Team>(this.#dispatchCopy, 'team:'));
	readonly teamById = $derived(new Map(this.teams.map((team) => [team.id, team])));
	readonly dispatches = $derived(valuesOf<Dispatch>(this.#dispatchCopy, 'dispatch:'));
	readonly dispatchById = $derived(new Map(this.dispatches.map((order) => [order.id, order])));
	readonly incidents = $derived(valuesOf<Incident>(this.#dispatchCopy, 'incident:'));
	/** Whether the dispatch board was told at all. */
	readonly knowsDispatch = $derived(this.#dispatchCopy !== null);

	/** Connects and follows the tab's visibility; the returned function ends it. */
	start(wanted: readonly LiveTopic[] = topics): () => void {
		const socket: Socket<ServerToClient, ClientToServer> = io('/live', {
			path: '/socket.io',
			transports: ['websocket'],
			reconnection: false,
			autoConnect: false,
			timeout: 10_000,
			auth: { parts: true }
		});
		this.#link = createLink({
			socket: socket as unknown as LinkSocket,
			now: () => Date.now(),
			random: Math.random,
			setTimer: (action, ms) => {
				const timer = setTimeout(action, ms);
				return () => clearTimeout(timer);
			},
			onState: (state) => this.#onState(state),
			onCopies: (copies) => this.#gather(copies),
			onOffset: (offsetMs) => (clock.offsetMs = offsetMs),
			onHeard: (at) => (this.#heardAt = at + clock.offsetMs)
		});
		this.#link.want(wanted);
		const onVisibility = () => (document.hidden ? this.#link?.rest() : this.#link?.start());
		const onOnline = () => this.#link?.networkBack();
		document.addEventListener('visibilitychange', onVisibility);
		addEventListener('online', onOnline);
		onVisibility();
		return () => {
			document.removeEventListener('visibilitychange', onVisibility);
			removeEventListener('online', onOnline);
			cancelAnimationFrame(this.#frame);
			this.#link?.rest();
			this.#link = null;
		};
	}

	tryNow(): void {
		this.#link?.start();
	}

	/** Stands the view still so that a person can read it; it goes on by itself after five minutes. */
	freeze(): void {
		this.frozenAt = clock.now;
		clearTimeout(this.#thaw);
		this.#thaw = setTimeout(() => this.resume(), freezeForMs);
	}
	resume(): void {
		clearTimeout(this.#thaw);
		if (this.frozenAt === null) return;
		this.frozenAt = null;
		// What came meanwhile was not gathered: a hole as after a lost link.
		this.returns += 1;
		this.#publish();
	}

	#onState(state: LinkState): void {
		if (state.kind === 'lost') this.lostSince ??= state.since + clock.offsetMs;
		if (state.kind === 'live') {
			this.lostSince = null;
			this.returns += 1;
		}
		this.state = state;
	}

	#gather(copies: ReadonlyMap<LiveTopic, TopicCopy>): void {
		this.#newest = copies;
		if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#publish());
	}

	#publish(): void {
		this.#frame = 0;
		if (this.frozenAt !== null) return;
		this.#copies = this.#newest;
		this.#firstBuild ??=
			(this.#newest.get('overview')?.values.get('bar') as BarState | undefined)?.build ?? null;
	}
}

export const feed = new Feed();
