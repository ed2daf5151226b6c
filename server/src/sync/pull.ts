import {
	errorCodes,
	syncKinds,
	syncLimitDefault,
	type SyncKind,
	type SyncPullAnswer,
	type SyncPullRequest
} from '../../contract/index.ts';
import { limits } from '../limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { scopeOf } from './cursor.ts';
import { logPart, prepare, setPart, type PartText, type Prepared, type Room } from './parts.ts';
import { inBundleOrder, type SyncCaller, type SyncSet, type SyncSource } from './sync-kinds.ts';

/** An answer as text, and whether all, some or none of the kinds that were asked could be read. */
export interface Pulled {
	text: string;
	outcome: 'served' | 'partial' | 'failed';
}

export interface PullDeps {
	clock: Clock;
	log: Log;
	random: () => number;
	/** Names the site and the season: cursors of another one begin anew. */
	scope: string;
	sources: readonly SyncSource[];
	reconnectSpreadMs: () => number;
	/** How full the queue is, 0 to 1: everybody pulls less often while it fills. */
	load: () => number;
	/** A set was larger than cursors can remember. */
	onCut: (kind: string, things: number) => void;
}

type KindError = SyncPullAnswer['errors'][number];
const isKind = (name: string): name is SyncKind => (syncKinds as readonly string[]).includes(name);

/** Answers pulls out of what features bring. */
export function createPull(deps: PullDeps): {
	pull(caller: SyncCaller, request: SyncPullRequest, language: 'ar' | 'en'): Promise<Pulled>;
} {
	const { clock, log } = deps;
	const sources = inBundleOrder(deps.sources);
	const prepareSet = createPreparer(deps);
	const failing = new Set<string>();

	const partOf = async (
		{ kind, source }: SyncSource,
		caller: SyncCaller,
		request: SyncPullRequest,
		room: Room
	): Promise<PartText> => {
		const ofOne = source.type === 'set' && !source.shared ? caller.id : caller.role === 'scanner';
		const query = {
			...{ cursor: request.cursors?.[kind], limit: request.limits?.[kind] ?? syncLimitDefault, room },
			wholeRoom: limits.sync.answerBytesMax,
			...{ scope: scopeOf(`${deps.scope} ${kind} ${ofOne}`), now: clock.now(), keptMs: limits.sync.cursorMs }
		};
		if (source.type === 'log') return logPart(kind, source, query);
		const things = await prepareSet(kind, source, caller);
		return setPart(kind, await shorten(clock, source, things, request.have?.[kind as 'revocations']), query);
	};
	const note = (kind: string, error?: unknown) => {
		if (error === undefined) return void failing.delete(kind);
		if (!failing.has(kind)) log.warn({ kind, err: error }, 'a kind cannot be pulled');
		failing.add(kind);
	};

	return {
		async pull(caller, request, language) {
			const mine = sources.filter(({ who }) => who.includes(caller.role));
			const { wanted, errors } = chosen(mine, request, language);
			const room: Room = { bytes: limits.sync.answerBytesMax };
			const parts: string[] = [];
			const unchanged: string[] = [];
			let hasMore = false;
			let unread = 0;
			for (const source of wanted) {
				const { kind } = source;
				try {
					const part = await within(clock, partOf(source, caller, request, room));
					if (part.text === null) unchanged.push(kind);
					else parts.push(part.text);
					hasMore ||= part.hasMore;
					note(kind);
				} catch (error) {
					note(kind, error);
					errors.push({ kind, code: 'not_ready', title: errorCodes.not_ready[language] });
					unread += 1;
				}
			}
			const rest = {
				...{ unchanged, errors, hasMore, pullAfterMs: pullAfterMs(deps, caller) },
				reconnectSpreadMs: deps.reconnectSpreadMs()
			};
			const text = `{"at":${clock.now()},"parts":[${parts.join(',')}],${JSON.stringify(rest).slice(1)}`;
			const none = unread > 0 && unread === wanted.length;
			return { text, outcome: none ? 'failed' : unread > 0 ? 'partial' : 'served' };
		}
	};
}

/** What was asked for and may be seen; of the rest, why not. */
function chosen(mine: readonly SyncSource[], request: SyncPullRequest, language: 'ar' | 'en') {
	const named = new Set(
		request.kinds ?? [...mine.map(({ kind }) => kind), ...Object.keys(request.cursors ?? {})]
	);
	const errors: KindError[] = [];
	for (const kind of named) {
		if (mine.some((source) => source.kind === kind)) continue;
		const code = isKind(kind) ? 'forbidden' : 'unknown_kind';
		errors.push({ kind, code, title: errorCodes[code][language] });
	}
	return { wanted: mine.filter(({ kind }) => named.has(kind)), errors };
}

/** Later while many wait, and never in step. */
function pullAfterMs({ load, random }: Pick<PullDeps, 'load' | 'random'>, caller: SyncCaller): number {
	const { pullAfterMs: calm, pullAfterMsMax } = limits.sync;
	const base = caller.role === 'scanner' ? calm.scanner : calm.staff;
	const slower = base + load() * (pullAfterMsMax - base);
	return Math.round(slower * (0.85 + 0.3 * random()));
}

/** The one thing of a set as a difference for whoever has an older one; it stays the same thing to the cursor. */
async function shorten(
	clock: Clock,
	{ since }: SyncSet,
	things: readonly Prepared[],
	version: number | undefined
): Promise<readonly Prepared[]> {
	const [only] = things;
	if (!since || version === undefined || !only) return things;
	// What cannot be made just now is told whole: that is in memory.
	const value = await within(clock, since(version), limits.sync.shortenTimeoutMs).catch(() => null);
	if (value === null) return things;
	return [{ ...only, text: `{"id":${JSON.stringify(only.id)},"value":${JSON.stringify(value)}}` }];
}

async function within<T>(
	clock: Clock,
	work: Promise<T>,
	timeoutMs: number = limits.sync.readTimeoutMs
): Promise<T> {
	let stop = () => {};
	const late = new Promise<never>((_, reject) => {
		stop = clock.setTimeout(() => reject(new Error('not read in time')), timeoutMs);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		stop();
	}
}

/** Sets that are the same for everybody are read and put into words once for all who ask within a moment. */
function createPreparer({ clock, onCut }: PullDeps) {
	const shared = new Map<SyncSet, { readMs: number; things: Promise<Prepared[]> }>();
	const read = async (kind: string, set: SyncSet, caller: SyncCaller) => {
		const things = await set.read(caller);
		const { thingsMax } = limits.sync;
		if (things.length > thingsMax) onCut(kind, things.length);
		return prepare(things.slice(0, thingsMax), set.stable);
	};
	return (kind: string, set: SyncSet, caller: SyncCaller): Promise<Prepared[]> => {
		if (!set.shared) return read(kind, set, caller);
		const last = shared.get(set);
		if (last && clock.elapsedMs() - last.readMs < limits.sync.freshMs) return last.things;
		const things = read(kind, set, caller);
		const now = { readMs: clock.elapsedMs(), things };
		shared.set(set, now);
		things.catch(() => shared.get(set) === now && shared.delete(set));
		return things;
	};
}
