import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The text kept in `DATA_DIR/name`, made at random (256 bits) on the first call. Readable by the owner alone.
 * @throws Error in one line when the file is there but empty or too short
 */
export async function loadOrCreateSecret(dataDir: string, name: string): Promise<string> {
	await mkdir(dataDir, { recursive: true, mode: 0o700 });
	const path = join(dataDir, name);
	const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
	if ((await readSecret(path)) === undefined) {
		const file = await open(draft, 'wx', 0o600);
		try {
			await file.writeFile(`${randomBytes(32).toString('base64url')}\n`);
			// What is encrypted under it must not outlive it after a power cut.
			await file.sync();
		} finally {
			await file.close();
		}
		// The first of two starters wins; the other reads what that one wrote.
		await link(draft, path).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'EEXIST') throw error;
		});
		await rm(draft, { force: true });
	}
	await chmod(path, 0o600);
	const secret = await readSecret(path);
	if (secret === undefined || secret.length < 32) {
		throw new Error(`the file ${path} holds no secret of at least 32 characters`);
	}
	return secret;
}

async function readSecret(path: string): Promise<string | undefined> {
	try {
		return (await readFile(path, 'utf8')).trim();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

/** The master secret: the one of the environment, else the one kept in the data folder. */
export async function loadMasterSecret(dataDir: string, given: string | undefined): Promise<string> {
	return given ?? (await loadOrCreateSecret(dataDir, 'secret'));
}
