import type { Entry } from '@marsad/server/contract';
import type { AsideEntry, Kept, ScanStore } from './scan-store.ts';
import type { UsedPermit } from './uses.ts';

const name = 'marsad-scanner';
const version = 1;
const nextSeqName = 'nextSeq';
type Table = 'kept' | 'entries' | 'uses' | 'aside';

/** Opens the scanner's own database. @throws when the browser forbids it, or has no room */
export async function openIdbStore(factory: IDBFactory = indexedDB): Promise<ScanStore> {
	const database = await new Promise<IDBDatabase>((resolve, reject) => {
		const opening = factory.open(name, version);
		opening.onupgradeneeded = () => {
			const made = opening.result;
			made.createObjectStore('kept');
			made.createObjectStore('entries', { keyPath: 'seq' });
			made.createObjectStore('uses', { keyPath: 'id' }).createIndex('until', 'untilSeconds');
			made.createObjectStore('aside', { keyPath: 'seq' });
		};
		opening.onsuccess = () => resolve(opening.result);
		opening.onerror = () => reject(opening.error ?? new Error('no database'));
		opening.onblocked = () => reject(new Error('another page holds an older database open'));
	});
	// Another version of this page wants to change the database: it waits until this one is closed.
	database.onversionchange = () => database.close();
	const run = <T>(
		tables: Table[],
		mode: IDBTransactionMode,
		work: (table: (of: Table) => IDBObjectStore, keep: (value: T) => void) => void
	) => inTransaction(database, tables, mode, work);
	return { ...keptOf(run), ...entriesOf(run), ...usesOf(run), close: () => database.close() };
}

type Run = <T>(
	tables: Table[],
	mode: IDBTransactionMode,
	work: (table: (of: Table) => IDBObjectStore, keep: (value: T) => void) => void
) => Promise<T>;

/** Resolves when the transaction is complete: with `strict` that is when it is on the disk. */
function inTransaction<T>(
	database: IDBDatabase,
	tables: Table[],
	mode: IDBTransactionMode,
	work: (table: (of: Table) => IDBObjectStore, keep: (value: T) => void) => void
): Promise<T> {
	return new Promise((resolve, reject) => {
		const transaction = database.transaction(tables, mode, { durability: 'strict' });
		let result: T | undefined;
		transaction.oncomplete = () => resolve(result as T);
		transaction.onabort = () => reject(transaction.error ?? new Error('nothing was kept'));
		work(
			(of) => transaction.objectStore(of),
			(value) => (result = value)
		);
	});
}

function keptOf(run: Run): Pick<ScanStore, 'read' | 'write' | 'forget' | 'clear'> {
	return {
		read: <Name extends keyof Kept>(key: Name) =>
			run<Kept[Name] | undefined>(['kept'], 'readonly', (table, keep) => {
				const asked = table('kept').get(key);
				asked.onsuccess = () => keep(asked.result as Kept[Name] | undefined);
			}),
		write: (values) =>
			run<void>(['kept'], 'readwrite', (table) => {
				for (const [key, value] of Object.entries(values)) table('kept').put(value, key);
			}),
		forget: (...keys) =>
			run<void>(['kept'], 'readwrite', (table) => {
				for (const key of keys) table('kept').delete(key);
			}),
		clear: () =>
			run<void>(['kept', 'entries', 'uses', 'aside'], 'readwrite', (table) => {
				for (const each of ['kept', 'entries', 'uses', 'aside'] as const) table(each).clear();
			})
	};
}

function entriesOf(
	run: Run
): Pick<ScanStore, 'add' | 'change' | 'startFrom' | 'oldest' | 'waiting' | 'settle' | 'asideCount'> {
	return {
		add: (make) =>
			run<Entry>(['kept', 'entries', 'uses'], 'readwrite', (table, keep) => {
				const asked = table('kept').get(nextSeqName);
				asked.onsuccess = () => {
					const seq = (asked.result as number | undefined) ?? 1;
					const { entry, used } = make(seq);
					table('kept').put(seq + 1, nextSeqName);
					table('entries').add(entry);
					if (used) table('uses').put(used);
					keep(entry);
				};
			}),
		change: (entry, used) =>
			run<void>(['entries', 'uses'], 'readwrite', (table) => {
				table('entries').put(entry);
				if (used) table('uses').put(used);
			}),
		startFrom: (from) =>
			run<void>(['kept'], 'readwrite', (table) => {
				const asked = table('kept').get(nextSeqName);
				asked.onsuccess = () => {
					if (((asked.result as number | undefined) ?? 1) < from) table('kept').put(from, nextSeqName);
				};
			}),
		oldest: (most) =>
			run<Entry[]>(['entries'], 'readonly', (table, keep) => {
				const asked = table('entries').getAll(null, most);
				asked.onsuccess = () => keep(asked.result as Entry[]);
			}),
		waiting: () => countOf(run, 'entries'),
		settle: (acknowledged, aside) =>
			run<void>(['entries', 'aside'], 'readwrite', (table) => {
				for (const [from, to] of acknowledged) table('entries').delete(IDBKeyRange.bound(from, to));
				for (const one of aside) {
					table('entries').delete(one.seq);
					table('aside').put(one satisfies AsideEntry);
				}
			}),
		asideCount: () => countOf(run, 'aside')
	};
}

function usesOf(run: Run): Pick<ScanStore, 'findUse' | 'forgetUses'> {
	return {
		findUse: (id) =>
			run<UsedPermit | undefined>(['uses'], 'readonly', (table, keep) => {
				const asked = table('uses').get(id);
				asked.onsuccess = () => keep(asked.result as UsedPermit | undefined);
			}),
		forgetUses: (beforeSeconds) =>
			run<void>(['uses'], 'readwrite', (table) => {
				const asked = table('uses').index('until').openCursor(IDBKeyRange.upperBound(beforeSeconds));
				asked.onsuccess = () => {
					asked.result?.delete();
					asked.result?.continue();
				};
			})
	};
}

function countOf(run: Run, of: Table): Promise<number> {
	return run<number>([of], 'readonly', (table, keep) => {
		const asked = table(of).count();
		asked.onsuccess = () => keep(asked.result);
	});
}
