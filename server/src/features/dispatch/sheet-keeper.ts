import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StateSheet } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { renderStateSheet } from './sheet-html.ts';
import { findStateSheet, insertStateSheet } from './sheet-store.ts';
import type { Scope } from './team-store.ts';

export interface SheetKeeperDeps {
	db: Db;
	clock: Clock;
	log: Log;
	scope: Scope;
	/** Folder of the files. */
	folder: string;
	leads(): boolean;
	make(): StateSheet;
}

/** Keeps a state sheet every 15 minutes: in the store, and as a file that needs nothing but a browser and a printer. */
export interface SheetKeeper {
	/** Makes one if it is time; called often. */
	look(): void;
	/** Makes one now. */
	keep(): Promise<void>;
	/** Reads when the last one was made: a restart makes none before its time. */
	start(): Promise<void>;
}

export function createSheetKeeper(deps: SheetKeeperDeps): SheetKeeper {
	const { db, clock, log, scope } = deps;
	let keptAt = -Infinity;
	let keeping = false;

	const keep = async () => {
		const sheet = deps.make();
		keptAt = sheet.at;
		await db.transaction().execute((tx) => insertStateSheet(tx, scope, sheet, limits.stateSheets.keepStored));
		await writeSheetFile(deps.folder, sheet, limits.stateSheets.keepFiles);
	};

	return {
		keep,
		look() {
			if (keeping || !deps.leads() || clock.now() - keptAt < limits.stateSheets.everyMs) return;
			keeping = true;
			// Another instance may have led until now.
			void findStateSheet(db, scope)
				.then(async (last) => {
					if (last && clock.now() - last.at < limits.stateSheets.everyMs) keptAt = last.at;
					else await keep();
				})
				.catch((error: unknown) => {
					keptAt = clock.now() - limits.stateSheets.everyMs + retryMs;
					log.warn({ err: error }, 'the state sheet could not be kept: it is tried again in a minute');
				})
				.finally(() => (keeping = false));
		},
		async start() {
			keptAt = (await findStateSheet(db, scope))?.at ?? -Infinity;
		}
	};
}

const retryMs = 60_000;
const named = /^state-\d{8}T\d{6}Z\.html$/;

/** Writes the page beside the others and deletes the oldest past `keep`. */
export async function writeSheetFile(folder: string, sheet: StateSheet, keep: number): Promise<string> {
	await mkdir(folder, { recursive: true });
	const stamp = new Date(sheet.at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
	const file = path.join(folder, `state-${stamp}.html`);
	// A power cut in the middle leaves the last good page, not half a page.
	await writeFile(`${file}.part`, renderStateSheet(sheet));
	await rename(`${file}.part`, file);
	const names = (await readdir(folder)).filter((name) => named.test(name)).toSorted();
	for (const name of names.slice(0, Math.max(0, names.length - keep))) await rm(path.join(folder, name));
	return file;
}
