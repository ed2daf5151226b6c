import { digestOf, nameOf, readLogCursor, readSetCursor, writeLogCursor, writeSetCursor } from './cursor.ts';
import type { Known } from './cursor.ts';
import type { SyncLog, SyncSet, SyncThing } from './sync-kinds.ts';

/** A thing ready to be sent. */
export interface Prepared {
	id: string;
	name: number;
	digest: number;
	/** `{"id":…,"value":…}` */
	text: string;
}

/** Room that is left in one answer. */
export interface Room {
	bytes: number;
}

/** Where cursors of a part belong, and the time. */
export interface CursorScope {
	scope: number;
	now: number;
	keptMs: number;
}

/** A part of the answer; text null: nothing is new, and the cursor stays good. */
export interface PartText {
	text: string | null;
	hasMore: boolean;
}

/** Things put into words, once for all who get them. */
export function prepare(things: readonly SyncThing[], stable: SyncSet['stable']): Prepared[] {
	return things.map(({ id, value }) => {
		const json = JSON.stringify(value);
		return {
			id,
			name: nameOf(id),
			digest: digestOf(stable ? JSON.stringify(stable(value)) : json),
			text: `{"id":${JSON.stringify(id)},"value":${json}}`
		};
	});
}

/** Takes from the front what fits; at least one thing, where nothing else is in the answer yet. */
function fit<T extends { text: string }>(
	things: readonly T[],
	limit: number,
	room: Room,
	whole: number
): T[] {
	const taken: T[] = [];
	for (const one of things.slice(0, limit)) {
		const bytes = Buffer.byteLength(one.text);
		if (bytes > room.bytes && room.bytes < whole) break;
		room.bytes -= bytes;
		taken.push(one);
	}
	return taken;
}

const partText = (part: {
	kind: string;
	reset: boolean;
	items: readonly string[];
	ids: readonly string[] | null;
	cursor: string;
	hasMore: boolean;
}) =>
	`{"kind":"${part.kind}","reset":${part.reset},"items":[${part.items.join(',')}],` +
	`"ids":${JSON.stringify(part.ids)},"cursor":"${part.cursor}","hasMore":${part.hasMore}}`;

/**
 * What a holder of this cursor has not got of a set. Its next cursor stands for what it has after this answer: things
 * that changed and did not fit are in it as they were, so that they are told with the next.
 */
export function setPart(
	kind: string,
	things: readonly Prepared[],
	query: { cursor: string | undefined; limit: number; room: Room; wholeRoom: number } & CursorScope
): PartText {
	const { scope, now } = query;
	const had = query.cursor === undefined ? null : readSetCursor(query.cursor, scope, now, query.keptMs);
	const known: Known = had ?? new Map();
	const news = things.filter(({ name, digest }) => known.get(name) !== digest);
	const names = new Set(things.map(({ name }) => name));
	const isGone = [...known.keys()].some((name) => !names.has(name));
	if (had !== null && news.length === 0 && !isGone) return { text: null, hasMore: false };
	const sent = fit(news, query.limit, query.room, query.wholeRoom);
	const isSent = new Set(sent);
	const next = new Map<number, number>();
	for (const thing of things) {
		const digest = isSent.has(thing) ? thing.digest : known.get(thing.name);
		if (digest !== undefined) next.set(thing.name, digest);
	}
	const hasMore = sent.length < news.length;
	const text = partText({
		...{ kind, reset: had === null, items: sent.map((thing) => thing.text) },
		ids: isGone ? things.map(({ id }) => id) : null,
		...{ cursor: writeSetCursor(scope, now, next), hasMore }
	});
	return { text, hasMore };
}

/** Lines that a holder of this cursor has not got of a log. */
export async function logPart(
	kind: string,
	log: SyncLog,
	query: { cursor: string | undefined; limit: number; room: Room; wholeRoom: number } & CursorScope
): Promise<PartText> {
	const { scope, now } = query;
	const after = query.cursor === undefined ? null : readLogCursor(query.cursor, scope, now, query.keptMs);
	const page = await log.page({ after, limit: query.limit });
	if (!page.reset && page.lines.length === 0) return { text: null, hasMore: false };
	const lines = page.lines.map(({ id, value }) => ({
		id,
		text: `{"id":"${id}","value":${JSON.stringify(value)}}`
	}));
	const sent = fit(lines, query.limit, query.room, query.wholeRoom);
	const hasMore = page.hasMore || sent.length < lines.length;
	const text = partText({
		...{ kind, reset: page.reset, items: sent.map((line) => line.text), ids: null },
		cursor: writeLogCursor(scope, now, sent.at(-1)?.id ?? after ?? 0),
		hasMore
	});
	return { text, hasMore };
}
