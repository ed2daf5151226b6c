import { syncKinds, type Role, type SyncKind } from '../../contract/index.ts';

/** Who pulls. */
export interface SyncCaller {
	/** Account or scanner. */
	id: string;
	role: Role | 'scanner';
	/** Whose turn in the queue it is. */
	tenant: string;
}

/** One thing as its kind gives it. */
export interface SyncThing {
	id: string;
	value: unknown;
}

/** Things that stand next to each other: whoever pulls gets those that are new to it, and hears which ids there are. */
export interface SyncSet {
	type: 'set';
	/** Everything there is now, in an order that does not jump. */
	read(caller: SyncCaller): readonly SyncThing[] | Promise<readonly SyncThing[]>;
	/** The same for everybody who sees it: read once for many. */
	shared: boolean;
	/** The same value, told shorter to whoever has this version of it; null where it is to be told whole. */
	since?(version: number): Promise<unknown>;
	/** The value without what changes by itself all the time (ages, the time of asking): that alone is no news. */
	stable?(value: unknown): unknown;
}

/** Lines that are only added. */
export interface SyncLog {
	type: 'log';
	/**
	 * Lines after this one, oldest first; null, or one too far back: the last page, and `reset`. A line whose predecessor
	 * may still come is not told yet.
	 */
	page(query: { after: number | null; limit: number }): Promise<SyncPage>;
}
export interface SyncPage {
	lines: readonly { id: number; value: unknown }[];
	hasMore: boolean;
	reset: boolean;
}

/** What a feature brings to the pull. One kind may have several sources, for different roles. */
export interface SyncSource {
	kind: SyncKind;
	/** Kinds that it stands on: they come before it in every bundle. */
	after: readonly SyncKind[];
	who: readonly (Role | 'scanner')[];
	source: SyncSet | SyncLog;
}

/** Sources in the order of a bundle. @throws Error for one that would come before what it stands on */
export function inBundleOrder(sources: readonly SyncSource[]): SyncSource[] {
	const place = (kind: SyncKind) => syncKinds.indexOf(kind);
	for (const { kind, after, who } of sources) {
		for (const other of after) {
			if (!sources.some((one) => one.kind === other))
				throw new Error(`${kind} stands on ${other}, which nobody brings`);
			if (place(other) >= place(kind)) throw new Error(`${kind} stands on ${other}, which comes later`);
		}
		const same = sources.filter((one) => one.kind === kind && one.who.some((role) => who.includes(role)));
		if (same.length > 1) throw new Error(`${kind} has two sources for the same role`);
	}
	return sources.toSorted((a, b) => place(a.kind) - place(b.kind));
}
