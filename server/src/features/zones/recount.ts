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
		request: { zones: Readonly<Record<string, number>>; actor: string; reason: string }
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
		async write(tx, { zones, actor, reason }) {
			const at = deps.now();
			const anchors: NewAnchor[] = [];
			for (const [zone, present] of Object.entries(zones)) {
				const watch = watches.get(zone);
				if (!watch) continue;
				const before = watch.signed();
				const correction = before === null ? null : present - before;
				anchors.push({ zone, at, present, netFlow: watch.netFlow(), correction, actor, reason });
				await record.append(tx, {
					actor,
					action: 'zone.recount',
					subject: zone,
					reason,
					before: { present: before },
					after: { present, correction }
				});
			}
			await insertAnchors(tx, deps.site, anchors);
			await deps.tell(tx);
			return () => {
				for (const anchor of anchors) watches.get(anchor.zone)?.setAnchor(anchor);
			};
		}
	};
}
