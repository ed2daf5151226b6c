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
	/** Without a word for so long, its answers count as old. */
	silentMs?: number;
}

/**
 * Flags from Unleash, asked every few seconds: a flag flipped there is seen soon, and the back-off of its client (an
 * interval more with each failure, up to eleven) stays under a minute. While it is away the last answer holds; before
 * the first answer it knows nothing and the written defaults hold. Nothing waits for it.
 */
export function createUnleashSource(options: UnleashOptions): UnleashSource {
	const { clock, log } = options;
	const refreshMs = options.refreshMs ?? limits.unleash.refreshMs;
	const listeners = new Set<() => void>();
	let values: ReadonlyMap<Flag, boolean> = new Map();
	let answered: { at: number; elapsedMs: number } | null = null;
	let failing: 'unreachable' | 'refused' | null = null;
	let refusals = 0;
	let client: Unleash | null = null;
	let stopRetry: StopTimer = () => {};
	let stopWatch: StopTimer = () => {};
	let told: FlagSourceState['state'] = 'unreachable';
	/** When the client last said anything, and how often since its start that was a failure. */
	let heardMs = 0;
	let failures = 0;
	let reading = false;
	const silentMs = options.silentMs ?? refreshMs * 3 + limits.unleash.timeoutMs;

	const state = (): FlagSourceState => {
		// The client reports no failure while it backs off or hangs: an old answer counts as none.
		const fresh = answered !== null && clock.elapsedMs() - answered.elapsedMs < silentMs;
		return { state: failing ?? (fresh ? 'in-step' : 'unreachable'), at: answered?.at ?? null };
	};
	const tell = () => {
		told = state().state;
		for (const listener of listeners) listener();
	};
	const noteAnswer = (next: ReadonlyMap<Flag, boolean> | null) => {
		const came = told !== 'in-step';
		answered = { at: clock.now(), elapsedMs: clock.elapsedMs() };
		failing = null;
		refusals = 0;
		if (came) log.info({}, 'Unleash answers');
		const changed = next !== null && flagNames.some((flag) => next.get(flag) !== values.get(flag));
		if (next) values = next;
		if (came || changed) tell();
		// It would go on asking seldom for minutes after an outage: a new one asks at the usual pace.
		if (failures > 0) reconnectIn(refreshMs);
	};
	const reconnectIn = (delayMs: number) => {
		end(client);
		client = null;
		stopRetry();
		stopRetry = clock.setTimeout(connect, delayMs);
	};
	const noteFailure = (error: unknown) => {
		failures += 1;
		const before = failing;
		const reason = describe(error);
		failing = /responded 40[13]\b/.test(reason) ? 'refused' : 'unreachable';
		if (before !== failing) {
			if (failing === 'refused') log.error({}, 'Unleash refuses UNLEASH_TOKEN: its last known flags stay');
			else log.warn({ reason }, 'Unleash cannot be reached: its last known flags stay');
			tell();
		}
		if (failing !== 'refused') return;
		// The client never asks again after a refused token; an operator may mend the token in Unleash meanwhile.
		reconnectIn(refusedDelayMs(refusals++, options.retryRefusedMs));
	};
	/**
	 * The client may fall silent without a word, in its back-off or on a server that hangs: what the state has become by
	 * the passing of time is told, and it is replaced.
	 */
	const watch = () => {
		if (state().state !== told) tell();
		if (client !== null && clock.elapsedMs() - heardMs > silentMs) reconnectIn(0);
	};
	const connect = () => {
		const next = createClient(options, refreshMs);
		client = next;
		failures = 0;
		heardMs = clock.elapsedMs();
		const ifCurrent =
			<T>(handle: (value: T) => void) =>
			(value: T) => {
				if (client !== next) return;
				heardMs = clock.elapsedMs();
				handle(value);
			};
		const take = () => {
			// Before it is ready, it answers every question with the default.
			if (!next.isSynchronized()) return;
			reading = true;
			const read = readValues(next);
			reading = false;
			noteAnswer(read);
		};
		next.on(UnleashEvents.Changed, ifCurrent(take));
		next.on(UnleashEvents.Synchronized, ifCurrent(take));
		next.on(
			UnleashEvents.Unchanged,
			ifCurrent(() => noteAnswer(null))
		);
		next.on(UnleashEvents.Error, ifCurrent(noteFailure));
		// A strategy that it does not know is warned of, too: that is no failure to reach it.
		next.on(
			UnleashEvents.Warn,
			ifCurrent((warning: unknown) => (reading ? undefined : noteFailure(warning)))
		);
		void next.start().catch(ifCurrent(noteFailure));
	};

	return {
		isEnabled: (flag) => values.get(flag),
		state,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		start() {
			stopWatch = clock.setInterval(watch, limits.unleash.watchMs);
			connect();
		},
		stop() {
			stopWatch();
			stopRetry();
			end(client);
			client = null;
		}
	};
}

/**
 * An ended client whose question is still under way says its failure to nobody, which would end the whole process: its
 * repository drops all listeners when it stops.
 */
function end(client: Unleash | null): void {
	if (!client) return;
	client.destroy();
	client['repository'].on(UnleashEvents.Error, () => undefined);
}

/** Doubles from try to try up to five minutes, a random part of it: instances do not come back together. */
function refusedDelayMs(refusals: number, firstMs: number = limits.unleash.retryRefusedMs): number {
	const mostMs = Math.min(limits.unleash.retryRefusedMsMax, firstMs * 2 ** Math.min(refusals, 16));
	return mostMs * (0.5 + Math.random() / 2);
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

/** One and the same on all instances: a partial roll-out must not be on here and off there. */
const everyInstance = { userId: 'marsad', sessionId: 'marsad' };

/** Evaluated once an answer, not once a request: these flags are switches of the whole service. */
function readValues(client: Unleash): ReadonlyMap<Flag, boolean> {
	const values = new Map<Flag, boolean>();
	for (const flag of flagNames) {
		if (client.getFeatureToggleDefinition(flag))
			values.set(flag, client.isEnabled(flag, everyInstance, switchableFlags[flag]));
	}
	return values;
}

function describe(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
