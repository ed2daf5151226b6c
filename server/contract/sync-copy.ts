import type { SyncPullAnswer, SyncPullRequest } from './sync.ts';

/** What a client has by its pulls; replaced, never changed in place. */
export interface SyncCopy {
	/** Kind to id to value. */
	readonly things: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
	readonly cursors: Readonly<Record<string, string>>;
}

export const emptySyncCopy: SyncCopy = { things: new Map(), cursors: {} };

/** The copy with an answer applied, its parts in their order. What an answer does not mention stays. */
export function applySyncAnswer(copy: SyncCopy, answer: Pick<SyncPullAnswer, 'parts'>): SyncCopy {
	const things = new Map(copy.things);
	const cursors = { ...copy.cursors };
	for (const part of answer.parts) {
		const own = new Map(part.reset ? [] : things.get(part.kind));
		for (const { id, value } of part.items) own.set(id, value);
		if (part.ids !== null) {
			const there = new Set(part.ids);
			for (const id of own.keys()) if (!there.has(id)) own.delete(id);
		}
		things.set(part.kind, own);
		cursors[part.kind] = part.cursor;
	}
	return { things, cursors };
}

/** The next request of a client that wants these kinds, or all it may see. */
export function nextSyncRequest(copy: SyncCopy, kinds?: readonly string[]): SyncPullRequest {
	return { ...(kinds ? { kinds: [...kinds] } : {}), cursors: { ...copy.cursors } };
}
