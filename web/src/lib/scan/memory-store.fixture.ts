import type { Entry } from '@marsad/server/contract';
import type { AsideEntry, Kept, ScanStore } from './scan-store.ts';
import type { UsedPermit } from './uses.ts';

/** What a page that ended leaves behind: open it again, and the store is as it was. */
export interface Disk {
	kept: Map<string, unknown>;
	entries: Map<number, Entry>;
	uses: Map<string, UsedPermit>;
	aside: Map<number, AsideEntry>;
	nextSeq: number;
	/** Tests set it: the browser has no room. */
	isFull: boolean;
}

export function emptyDisk(): Disk {
	return {
		kept: new Map(),
		entries: new Map(),
		uses: new Map(),
		aside: new Map(),
		nextSeq: 1,
		isFull: false
	};
}

/** The same promises as the database of the browser, on a map. */
export function openMemoryStore(disk: Disk = emptyDisk()): ScanStore {
	const guard = () => {
		if (disk.isFull) throw new Error('no room');
	};
	const copy = <T>(value: T): T => structuredClone(value);
	return {
		read: async <Name extends keyof Kept>(name: Name) => copy(disk.kept.get(name)) as Kept[Name] | undefined,
		async write(values) {
			guard();
			for (const [name, value] of Object.entries(values)) disk.kept.set(name, copy(value));
		},
		async forget(...names) {
			for (const name of names) disk.kept.delete(name);
		},
		async add(make) {
			guard();
			const { entry, used } = make(disk.nextSeq);
			disk.nextSeq += 1;
			disk.entries.set(entry.seq, copy(entry));
			if (used) disk.uses.set(used.id, copy(used));
			return entry;
		},
		async change(entry, used) {
			guard();
			disk.entries.set(entry.seq, copy(entry));
			if (used) disk.uses.set(used.id, copy(used));
		},
		async startFrom(seq) {
			disk.nextSeq = Math.max(disk.nextSeq, seq);
		},
		oldest: async (most) => copy([...disk.entries.values()].sort((a, b) => a.seq - b.seq).slice(0, most)),
		waiting: async () => disk.entries.size,
		async settle(acknowledged, aside) {
			for (const seq of [...disk.entries.keys()])
				if (acknowledged.some(([from, to]) => seq >= from && seq <= to)) disk.entries.delete(seq);
			for (const one of aside) {
				disk.entries.delete(one.seq);
				disk.aside.set(one.seq, copy(one));
			}
		},
		asideCount: async () => disk.aside.size,
		findUse: async (id) => copy(disk.uses.get(id)),
		async forgetUses(beforeSeconds) {
			for (const [id, { untilSeconds }] of disk.uses) if (untilSeconds <= beforeSeconds) disk.uses.delete(id);
		},
		async clear() {
			Object.assign(disk, emptyDisk());
		},
		close() {}
	};
}
