import type { LiveTopic } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../clock.ts';
import type { Hub, TopicHandle } from './hub.ts';
import type { Relay, RelayChanges } from './relay.ts';

/** A topic that one instance fills for the screens of all. */
export interface MirroredTopic extends TopicHandle {
	/** A value as the screens of this instance see it, whoever said it; undefined when there is none. */
	shown(key: string): unknown;
	/** Whose values are shown: ours, those of the instance that leads, or what is left while nobody speaks. */
	source(): 'own' | 'heard' | 'silent';
	start(): void;
	stop(): void;
}

export interface MirrorOptions {
	name: LiveTopic;
	/** The term under which this instance fills the topic; null while another one does. */
	term(): number | null;
	/**
	 * What a screen sees of a value when the instance that leads was not heard for some seconds: `heard` is what it
	 * last said, `own` what this instance would say. Never what looks live; undefined removes the key.
	 */
	whenSilent(key: string, heard: unknown, own: unknown): unknown;
}

/** How a feature opens the topic it fills. */
export type OpenTopic = (options: MirrorOptions) => MirroredTopic;

/** One instance: what it says is what its screens see. */
export function plainTopics(hub: Hub): OpenTopic {
	return ({ name }) => {
		const topic = hub.topic(name);
		const shown = new Map<string, unknown>();
		return {
			set(key, value) {
				shown.set(key, value);
				topic.set(key, value);
			},
			remove(key) {
				shown.delete(key);
				topic.remove(key);
			},
			shown: (key) => shown.get(key),
			source: () => 'own',
			start: () => undefined,
			stop: () => undefined
		};
	};
}

export function mirroredTopics(deps: { hub: Hub; relay: Relay; clock: Clock }): OpenTopic {
	return (options) => createMirroredTopic(deps, options);
}

const lookEveryMs = 500;

/**
 * Each instance works its own values out; screens see those of the instance that leads. Sequence and stream stay
 * those of the instance a screen is connected to, so that snapshots and patches hold as they do on one.
 */
export function createMirroredTopic(
	deps: { hub: Hub; relay: Relay; clock: Clock },
	options: MirrorOptions
): MirroredTopic {
	const { hub, clock } = deps;
	const { name } = options;
	const screen = hub.topic(name);
	const own = new Map<string, string>();
	const heard = new Map<string, string>();
	const shown = new Map<string, string>();
	let source: 'own' | 'heard' | 'silent' = 'silent';
	let stopTimer = () => {};

	const show = (key: string, text: string | undefined) => {
		if (shown.get(key) === text) return;
		if (text === undefined) {
			shown.delete(key);
			screen.remove(key);
		} else {
			shown.set(key, text);
			screen.set(key, JSON.parse(text));
		}
	};
	const silentText = (key: string): string | undefined => {
		const parse = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
		return JSON.stringify(options.whenSilent(key, parse(heard.get(key)), parse(own.get(key)))) as
			string | undefined;
	};
	const textOf = (key: string) =>
		source === 'own' ? own.get(key) : source === 'heard' ? heard.get(key) : silentText(key);
	const showAll = () => {
		for (const key of new Set([...shown.keys(), ...own.keys(), ...heard.keys()])) show(key, textOf(key));
	};

	const channel = deps.relay.open({
		name,
		term: options.term,
		everything: () => new Map(own),
		onHeard(changes, whole) {
			if (whole) heard.clear();
			for (const [key, text] of changes) {
				if (text === null) heard.delete(key);
				else heard.set(key, text);
			}
			if (source !== 'heard' || whole) look();
			else for (const key of changes.keys()) show(key, textOf(key));
		}
	});
	const look = () => {
		const silent = clock.elapsedMs() - channel.heardMs() > limits.relay.silentMs;
		source = options.term() !== null ? 'own' : silent ? 'silent' : 'heard';
		showAll();
	};
	/** At the pace of the glass: values that change faster are told as they stand then. */
	const tell = (patch: { topic: LiveTopic; changes: Record<string, unknown> }) => {
		if (patch.topic !== name || options.term() === null) return;
		const changes: RelayChanges = new Map(
			Object.keys(patch.changes).map((key) => [key, own.get(key) ?? null])
		);
		channel.publish(changes);
	};
	const change = (key: string, text: string | null) => {
		if (text === null) own.delete(key);
		else own.set(key, text);
		if (source === 'own') show(key, textOf(key));
		else if (options.term() !== null) look();
		else if (source === 'silent') show(key, textOf(key));
	};

	return {
		set: (key, value) => change(key, JSON.stringify(value)),
		remove: (key) => change(key, null),
		shown(key) {
			const text = shown.get(key);
			return text === undefined ? undefined : JSON.parse(text);
		},
		source: () => source,
		start() {
			const stopPatches = hub.onPatch(tell);
			const timer = setInterval(look, lookEveryMs);
			stopTimer = () => {
				stopPatches();
				clearInterval(timer);
			};
		},
		stop: () => stopTimer()
	};
}
