import { InMemStorageProvider, Unleash, UnleashEvents } from 'unleash-client';
import { flagNames, switchableFlags, type Flag } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../clock.ts';
import type { Log } from '../log.ts';
import type { FlagSource, FlagSourceState } from './flags.ts';

export interface UnleashSource extends FlagSource {
	/** Begins to ask; never waits for an answer. */
	start(): void;
	stop(): void;
}

export interface UnleashOptions {
	/** With or without the `/api` at its end. */
	url: string;
	token: string;
	environment: string;
	/** Names this process among instances. */
	instance: string;
	clock: Clock;
	log: Log;
	refreshMs?: number;
	retryRefusedMs?: number;
}

/**
 * Flags from Unleash, asked every 15 s. While it is away the last answer holds; before the first answer it knows
 * nothing and the written defaults hold. Nothing waits for it.
 */
export function createUnleashSource(options: UnleashOptions): UnleashSource {
	const { clock, log } = options;
	const refreshMs = options.refreshMs ?? limits.unleash.refreshMs;
	const listeners = new Set<() => void>();
	let values: ReadonlyMap<Flag, boolean> = new Map();
	let answered: { at: number; elapsedMs: number } | null = null;
	let failing = false;
	let client: Unleash | null = null;
	let stopRetry: StopTimer = () => {};

	const state = (): FlagSourceState => {
		// The client reports no failure while it backs off (up to 165 s): an old answer counts as none.
		const fresh =
			answered !== null && clock.elapsedMs() - answered.elapsedMs < refreshMs * 3 + limits.unleash.timeoutMs;
		return { state: fresh && !failing ? 'in-step' : 'unreachable', at: answered?.at ?? null };
	};
	const tell = () => {
		for (const listener of listeners) listener();
	};
	const noteAnswer = (next: ReadonlyMap<Flag, boolean> | null) => {
		const came = failing || answered === null;
		answered = { at: clock.now(), elapsedMs: clock.elapsedMs() };
		failing = false;
		if (came) log.info({}, 'Unleash answers');
		const changed = next !== null && flagNames.some((flag) => next.get(flag) !== values.get(flag));
		if (next) values = next;
		if (came || changed) tell();
	};
	const noteFailure = (error: unknown) => {
		const first = !failing;
		failing = true;
		const reason = describe(error);
		if (first) {
			log.warn({ reason }, 'Unleash cannot be reached: its last known flags stay');
			tell();
		}
		if (!/responded 40[13]\b/.test(reason)) return;
		// The client never asks again after a refused token; an operator may mend the token in Unleash meanwhile.
		log.error({}, 'Unleash refuses UNLEASH_TOKEN');
		client?.destroy();
		stopRetry();
		stopRetry = clock.setTimeout(connect, options.retryRefusedMs ?? limits.unleash.retryRefusedMs);
	};
	const connect = () => {
		const next = createClient(options, refreshMs);
		client = next;
		const ifCurrent =
			<T>(handle: (value: T) => void) =>
			(value: T) => {
				if (client === next) handle(value);
			};
		next.on(
			UnleashEvents.Changed,
			ifCurrent(() => noteAnswer(readValues(next)))
		);
		next.on(
			UnleashEvents.Unchanged,
			ifCurrent(() => noteAnswer(null))
		);
		next.on(UnleashEvents.Error, ifCurrent(noteFailure));
		next.on(UnleashEvents.Warn, ifCurrent(noteFailure));
		void next.start().catch(ifCurrent(noteFailure));
	};

	return {
		isEnabled: (flag) => values.get(flag),
		state,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		start: connect,
		stop() {
			stopRetry();
			client?.destroy();
			client = null;
		}
	};
}

/** A client that only reads flags: it registers nothing, counts nothing, writes no file and never streams. */
function createClient(options: UnleashOptions, refreshMs: number): Unleash {
	return new Unleash({
		url: options.url.replace(/\/+$/, '').replace(/(\/api)?$/, '/api'),
		appName: 'marsad',
		instanceId: options.instance,
		environment: options.environment,
		customHeaders: { Authorization: options.token },
		refreshInterval: refreshMs,
		timeout: limits.unleash.timeoutMs,
		disableMetrics: true,
		metricsInterval: 0,
		storageProvider: new InMemStorageProvider(),
		disableAutoStart: true,
		skipInstanceCountWarning: true
	});
}

/** Evaluated once an answer, not once a request: these flags are switches of the whole service. */
function readValues(client: Unleash): ReadonlyMap<Flag, boolean> {
	const values = new Map<Flag, boolean>();
	for (const flag of flagNames) {
		if (client.getFeatureToggleDefinition(flag))
			values.set(flag, client.isEnabled(flag, {}, switchableFlags[flag]));
	}
	return values;
}

function describe(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
