import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, cp, lstat, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How a PostgreSQL program is called so that it does not run as root, which it refuses. */
export type PostgresUser = {
	kind: 'self' | 'namespace' | 'other';
	/** The owner that the data folder must have, as seen from outside. */
	uid: number;
	gid: number;
	/** Program and leading arguments; empty when the program is called as it is. */
	prefix: readonly string[];
};

/**
 * A plain user runs PostgreSQL as itself. Root runs it in a user namespace of its own, where root's files belong
 * to a plain user, so that a folder only root may enter still works; where the system forbids that, as another user.
 */
export async function choosePostgresUser(allowNamespace: boolean): Promise<PostgresUser> {
	const uid = process.getuid?.() ?? -1;
	const gid = process.getgid?.() ?? -1;
	if (uid !== 0) return { kind: 'self', uid, gid, prefix: endsWithOwner };
	const other = await plainUser();
	const namespace = ['unshare', '--user', `--map-user=${other.uid}`, `--map-group=${other.gid}`, '--'];
	if (allowNamespace && works(namespace)) {
		return { kind: 'namespace', uid, gid, prefix: [...namespace, ...endsWithOwner] };
	}
	return { kind: 'other', ...other, prefix: endsWithOwner };
}

// Linux tells a process when its parent dies: PostgreSQL then shuts down in good order, also after kill -9 of its
// owner. Where util-linux is too old for it (or there is none) it stays behind until the next start stops it.
const deathSignal = ['setpriv', '--pdeathsig', 'INT', '--'];
const endsWithOwner: readonly string[] = works(deathSignal) ? deathSignal : [];

function works([program = '', ...args]: readonly string[]): boolean {
	return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}

/** initdb looks its user up by number, so the number must be one that /etc/passwd knows. */
async function plainUser(): Promise<{ uid: number; gid: number }> {
	const lines = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
		.split('\n')
		.map((line) => line.split(':'));
	const entry = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
	return { uid: Number(entry?.[2] ?? 65534), gid: Number(entry?.[3] ?? 65534) };
}

/** Whether that user can reach a folder (every folder above it may be entered). */
export function canEnter(user: PostgresUser, folder: string): boolean {
	if (user.kind !== 'other') return true;
	const found = spawnSync('test', ['-x', folder], { uid: user.uid, gid: user.gid, stdio: 'ignore' });
	return found.status === 0;
}

/** A folder that everybody may enter, always the same one for a data folder. */
export function publicFolderPath(dataDir: string): string {
	return join('/var/tmp', `marsad-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}

/**
 * Makes that folder.
 * @throws Error when somebody else made it first: what lies in it would be theirs to change
 */
export async function publicFolder(dataDir: string): Promise<string> {
	const folder = publicFolderPath(dataDir);
	await mkdir(folder, { recursive: true, mode: 0o755 });
	const present = await lstat(folder);
	if (!present.isDirectory() || present.uid !== process.getuid?.()) {
		throw new Error(`the folder ${folder} belongs to somebody else: remove it`);
	}
	return folder;
}

/** Copies the programs to where the other user can run them; a complete earlier copy is kept. */
export async function copyPrograms(native: string, target: string): Promise<void> {
	const source = await stat(join(native, 'bin/postgres'));
	const present = await stat(join(target, 'bin/postgres')).catch(() => undefined);
	if (present?.size === source.size) return;
	await mkdir(target, { recursive: true, mode: 0o755 });
	for (const part of ['lib', 'share', 'bin']) {
		await cp(join(native, part), join(target, part), {
			recursive: true,
			force: true,
			verbatimSymlinks: true
		});
	}
}

/** Gives a file or a tree to the user who runs PostgreSQL, when an earlier start ran as another one. */
export async function ensureOwner(folder: string, user: PostgresUser): Promise<void> {
	if (process.getuid?.() !== 0) return;
	const present = await lstat(folder).catch(() => undefined);
	if (!present || (present.uid === user.uid && present.gid === user.gid)) return;
	const entries = present.isDirectory()
		? await readdir(folder, { recursive: true, withFileTypes: true })
		: [];
	for (const entry of entries) {
		if (entry.isSymbolicLink()) continue;
		await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
	}
	// The folder itself last: as long as its owner is the old one, the next start finishes the work.
	await chown(folder, user.uid, user.gid);
}
