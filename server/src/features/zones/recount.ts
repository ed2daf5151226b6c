import type { Record as TheRecord } from '../record/index.ts';
import { insertAnchors, type NewAnchor } from './zone-store.ts';
import type { ZoneWatch } from './zone-watch.ts';

type Transaction = Parameters<typeof insertAnchors>[0];

/** Sets zones to a number that somebody counted; what the counting said before is kept as its error. */
export interface Recount {
	/** Commits what was read so far, so that a recount never stands on counts that could still be lost. */
	prepare(): Promise<void>;
	/** Writes anchors and the record in the command's own transaction. @returns what to do after the commit */
	write(
		tx: Transaction,
		request: {
			zones: Readonly<Record<string, number>>;
			actor: string;
			reason: string;
			/** Of a scheduled anchor: the date of its night, for which one is set and no more. */
			night?: string;
		}
	): Promise<() => void>;
}

export function createRecount(deps: {
	site: string;
	watches: ReadonlyMap<string, ZoneWatch>;
	now: () => number;
	flush: () => Promise<void>;
	/** Tells other instances, when the transaction commits. */
	tell: (tx: Transaction) => Promise<void>;
	record: Pick<TheRecord, 'append'>;
}): Recount {
	const { watches, record } = deps;
	return {
		prepare: deps.flush,
		async write(tx, { zones, actor, reason, night = null as string | null }) {
			const at = deps.now();
			const anchors: NewAnchor[] = [];
			for (const [zone, present] of Object.entries(zones)) {
				const watch = watches.get(zone);
				if (!watch) continue;
				const before = watch.signed();
				const correction = before === null ? null : present - before;
				const error = watch.errorOf(correction);
				anchors.push({
					...{ zone, at, present, netFlow: watch.netFlow(), flowIn: watch.flowIn() },
					...{ correction, error, night, actor, reason }
				});
			}
			const written = new Set(await insertAnchors(tx, deps.site, anchors));
			const set = anchors.filter(({ zone }) => written.has(zone));
			for (const { zone, present, correction, error } of set)
				await record.append(tx, {
					actor,
					action: night === null ? 'zone.recount' : 'zone.anchor',
					subject: zone,
					reason,
					before: { present: correction === null ? null : present - correction },
					after: { present, correction, ...(error === null ? {} : { error }) }
				});
			if (set.length > 0) await deps.tell(tx);
			return () => {
				for (const anchor of set) watches.get(anchor.zone)?.setAnchor(anchor);
			};
		}
	};
}
