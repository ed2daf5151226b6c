import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadMasterSecret } from './secret.ts';

let dataDir = '';
beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), 'marsad-secret-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

it('takes the secret of the environment and writes nothing', async () => {
	expect(await loadMasterSecret(dataDir, 'x'.repeat(32))).toBe('x'.repeat(32));
	await expect(stat(join(dataDir, 'secret'))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('makes one secret, also for starters at the same moment, that only its owner may read', async () => {
	const made = await Promise.all(Array.from({ length: 8 }, () => loadMasterSecret(dataDir, undefined)));
	expect(new Set(made).size).toBe(1);
	expect(made[0]).toHaveLength(43);
	expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
	expect(await loadMasterSecret(dataDir, undefined)).toBe(made[0]);
});

it('refuses a file without a secret rather than sign with nothing', async () => {
	await writeFile(join(dataDir, 'secret'), '\n');
	await expect(loadMasterSecret(dataDir, undefined)).rejects.toThrow('holds no secret');
});
