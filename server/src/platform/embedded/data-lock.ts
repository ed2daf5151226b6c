import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Another living process keeps its data in this folder. The message is one line for the operator. */
export class DataFolderInUseError extends Error {
	constructor(dataDir: string, pid: number) {
		super(`the data folder ${dataDir} is in use by process ${pid}: stop it, or name another DATA_DIR`);
		this.name = 'DataFolderInUseError';
	}
}

type Holder = { pid: number; startedAt: string; token: string };

const prefix = 'lock.';
const waitMs = 25;
const waits = 40;

/**
 * Takes the data folder for this process. Each starter lays down a file of its own and holds the folder once no
 * other living one is there: of two starters at least one sees the other, so never do both hold it. Files of
 * processes that are gone (also where their number was given away again) are cleared.
 * @returns a function that gives the folder back
 * @throws DataFolderInUseError
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
	await mkdir(dataDir, { recursive: true, mode: 0o700 });
	const own: Holder = {
		pid: process.pid,
		startedAt: await processStart(process.pid),
		token: randomUUID()
	};
	const path = join(dataDir, `${prefix}${own.token}`);
	const draft = join(dataDir, `draft-${prefix}${own.token}`);
	await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
	// Renamed when complete, so that nobody reads half a file and takes its writer for dead.
	await rename(draft, path);
	const release = (): Promise<void> => rm(path, { force: true });
	let others: Holder[] = [];
	for (let wait = 0; wait < waits; wait++) {
		others = await livingHolders(dataDir, own.token);
		if (others.length === 0) return release;
		// Of several who start at once the smallest token stays; the others go.
		if (others.some((other) => other.token < own.token)) break;
		await delay(waitMs);
	}
	await release();
	throw new DataFolderInUseError(dataDir, others[0]?.pid ?? 0);
}

async function livingHolders(dataDir: string, ownToken: string): Promise<Holder[]> {
	const living: Holder[] = [];
	for (const name of await readdir(dataDir)) {
		if (!name.startsWith(prefix) || name === `${prefix}${ownToken}`) continue;
		const path = join(dataDir, name);
		const holder = await readHolder(path);
		if (holder && (await isAlive(holder))) living.push(holder);
		else await rm(path, { force: true });
	}
	return living;
}

async function readHolder(path: string): Promise<Holder | undefined> {
	try {
		const holder = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
		if (typeof holder.pid !== 'number' || typeof holder.token !== 'string') return undefined;
		return { pid: holder.pid, token: holder.token, startedAt: String(holder.startedAt ?? '') };
	} catch {
		return undefined;
	}
}

async function isAlive(holder: Holder): Promise<boolean> {
	return isRunning(holder.pid) && (await processStart(holder.pid)) === holder.startedAt;
}

/** Whether a process of this number runs, ours or not. One that has ended and that nobody reaped yet does not. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
	return !hasEnded(pid);
}

/** A process keeps its number after its end until its parent, or process 1, asks for it; some take their time. */
function hasEnded(pid: number): boolean {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
	} catch {
		return false;
	}
}

/** Start time in clock ticks since boot (field 22 of /proc/PID/stat); empty where there is no /proc. */
async function processStart(pid: number): Promise<string> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
		// The second field is the program's name in brackets and may itself hold spaces.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return fields[0] === 'Z' ? 'zombie' : (fields[19] ?? '');
	} catch {
		return '';
	}
}
