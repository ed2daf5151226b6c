import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @param {number} pid */
export function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}

/**
 * Holds a lock file with our process number while `work` runs; waits while another living process has it.
 * Runs on Node 18, before anything is installed.
 * @template T
 * @param {string} path
 * @param {(pid: number, waitedSeconds: number) => void} onWait called once a second while waiting
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPidLock(path, onWait, work) {
	mkdirSync(dirname(path), { recursive: true });
	for (let waitedSeconds = 0; !take(path);) {
		const holder = readPid(path);
		if (holder !== undefined && isRunning(holder)) {
			onWait(holder, waitedSeconds++);
			await new Promise((resolve) => setTimeout(resolve, 1000));
		} else putAside(path, holder);
	}
	// A process that is told to stop leaves by exit, not through `finally`.
	const release = () => {
		if (readPid(path) === process.pid) rmSync(path, { force: true });
	};
	process.on('exit', release);
	try {
		return await work();
	} finally {
		process.off('exit', release);
		release();
	}
}

/** @param {string} path */
function take(path) {
	const draft = `${path}.${process.pid}`;
	writeFileSync(draft, String(process.pid));
	try {
		linkSync(draft, path);
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
		throw error;
	} finally {
		rmSync(draft, { force: true });
	}
}

/**
 * Two waiters may find the same dead lock: whoever moved away a fresh one instead puts it back.
 * @param {string} path
 * @param {number | undefined} dead
 */
function putAside(path, dead) {
	const aside = `${path}.${process.pid}.dead`;
	try {
		renameSync(path, aside);
		if (readPid(aside) !== dead) linkSync(aside, path);
	} catch {
		// Somebody else was faster.
	}
	rmSync(aside, { force: true });
}

/** @param {string} path */
function readPid(path) {
	try {
		const pid = Number(readFileSync(path, 'utf8'));
		return Number.isInteger(pid) && pid > 0 ? pid : undefined;
	} catch {
		return undefined;
	}
}
