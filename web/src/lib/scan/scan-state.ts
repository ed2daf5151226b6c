import {
	reconnectWindowMs,
	type CountEntry,
	type PermitEntry,
	type ScannerSettings
} from '@marsad/server/contract';
import type { ListFault, VerifySignature } from '@marsad/server/contract/permit';
import type { Judgement } from './judge.ts';
import type { Link } from './link.ts';
import type { Cursors } from './pull.ts';
import { timeOf, type ClockPair, type KnownTime, type Reading } from './scan-clock.ts';
import type { Kept, ScanStore } from './scan-store.ts';
import type { OpenLists } from './signed-lists.ts';

/** The answer that stands on the screen. */
export interface Shown {
	judgement: Judgement;
	entry: PermitEntry;
	/** Its people may still be changed, and a red one may be overruled. */
	isOpen: boolean;
	/** A supervisor let them in all the same. */
	isOverruled: boolean;
	/** The same code again, by a trigger that was held: nothing was counted. */
	isKept: boolean;
}

/** Everything a scanner knows. One object, changed in place by desk and sync; screens are told with `changed`. */
export interface ScanState {
	pairing: Kept['pairing'] | null;
	settings: ScannerSettings | null;
	/** When the settings were heard, by the time known then. */
	settingsAt: number | null;
	lists: OpenLists;
	/** When the server last said that these are the newest, epoch ms by the server. */
	confirmedAt: { keys: number | null; revocations: number | null };
	/** Why the newest list that came was not taken. */
	faults: { keys: ListFault | null; revocations: ListFault | null };
	cursors: Cursors;
	/** Window of the first try after the server was lost, as it was named; ms. */
	spreadMs: number;
	pair: ClockPair | null;
	link: Link;
	queued: number;
	aside: number;
	countOnly: Kept['countOnly'] | null;
	evacuation: Kept['evacuation'] | null;
	refused: Kept['refused'] | null;
	/** At a place of in and out, what the steward chose. */
	direction: 'in' | 'out' | null;
	shown: Shown | null;
	/** People counted by hand whose number may still change. */
	count: CountEntry | null;
	/** The browser kept nothing the last time: what passes is not counted. */
	storageFault: boolean;
}

/** What desk and sync are made of. */
export interface ScanDeps {
	state: ScanState;
	store: ScanStore;
	verify: VerifySignature;
	reading(): Reading;
	/** Epoch ms: no time before this build is true. */
	builtAt: number;
	build: string;
	random(): number;
	changed(): void;
}

export function newState(link: Link): ScanState {
	return {
		...{ pairing: null, settings: null, settingsAt: null, lists: { keys: null, revocations: null } },
		confirmedAt: { keys: null, revocations: null },
		faults: { keys: null, revocations: null },
		...{
			cursors: {},
			spreadMs: reconnectWindowMs,
			pair: null,
			link,
			queued: 0,
			aside: 0,
			countOnly: null,
			evacuation: null,
			refused: null
		},
		...{ direction: null, shown: null, count: null, storageFault: false }
	};
}

/** What time it is, as far as this scanner can know. */
export function knownTime({
	state,
	reading,
	builtAt
}: Pick<ScanDeps, 'state' | 'reading' | 'builtAt'>): KnownTime {
	const { pair, lists } = state;
	const notBefore = Math.max(
		builtAt,
		pair?.serverAt ?? 0,
		(lists.keys?.issuedSeconds ?? 0) * 1_000,
		(lists.revocations?.list.issuedSeconds ?? 0) * 1_000
	);
	return timeOf(reading(), pair, notBefore);
}

/** What happens at the gate now. Evacuation comes before everything. */
export type GateMode = 'check' | 'count' | 'count-out';
export function gateMode({ settings, countOnly, evacuation }: ScanState): GateMode {
	if (evacuation || settings?.mode === 'count-out') return 'count-out';
	return countOnly ? 'count' : 'check';
}

/** Which way people go here. Only a place of in and out leaves a choice. */
export function gateDirection({ settings, direction }: ScanState): 'in' | 'out' {
	if (settings?.gate.direction === 'out') return 'out';
	return settings?.place?.policy === 'in-and-out' ? (direction ?? 'in') : 'in';
}

/** The number of the entry that may still change; null: all may be sent. */
export function openSeq({ shown, count }: ScanState): number | null {
	return count?.seq ?? (shown?.isOpen ? shown.entry.seq : null);
}
