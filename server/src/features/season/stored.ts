import type {
	DutyRequest,
	FreezeRequest,
	OrderRequest,
	Sighting,
	SpikeRequest
} from '../../../contract/index.ts';

type Fields<R> = Omit<R, 'reason' | 'expectedVersion' | 'retired'>;

export type SpikeFields = Fields<SpikeRequest>;
export type FreezeFields = Fields<FreezeRequest>;
export type OrderFields = Fields<OrderRequest>;
/** With the name of the account, as it was then. */
export type DutyFields = Fields<DutyRequest> & { name: string };

interface Bodies {
	spike: SpikeFields;
	freeze: FreezeFields;
	order: OrderFields;
	duty: DutyFields;
}
export type EntryKind = keyof Bodies;

/** One line of the plan as it is stored. */
export interface EntryOf<K extends EntryKind> {
	id: string;
	kind: K;
	version: number;
	body: Bodies[K];
	by: string;
	at: number;
}
export type StoredEntry = { [K in EntryKind]: EntryOf<K> }[EntryKind];
export type StoredSighting = Omit<Sighting, 'calculated'>;

export interface StoredPlan {
	entries: StoredEntry[];
	sightings: StoredSighting[];
}

/** The entries of one kind. */
export function entriesOf<K extends EntryKind>({ entries }: StoredPlan, kind: K): EntryOf<K>[] {
	return entries.filter((entry) => entry.kind === kind) as EntryOf<K>[];
}
