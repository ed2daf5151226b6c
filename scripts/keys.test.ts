import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeKeyList, fromHex, verifyKeyList } from '../server/contract/permit/index.ts';
import { verifySignature } from '../server/src/features/permits/key-crypto.ts';

const program = join(import.meta.dirname, 'keys.ts');
const folder = mkdtempSync(join(tmpdir(), 'marsad-root-'));
const env = { ...process.env, INIT_CWD: folder };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: string[], input = '') =>
	spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env, input });

describe('npm run keys', () => {
	it('makes a root and signs a draft with it, without a server', async () => {
		const made = execFileSync(process.execPath, [program, 'root', '--out', 'root.pem'], {
			encoding: 'utf8',
			env
		});
		const [, kid = '', publicKey = ''] = /root ([0-9a-f]{8})\npublic key ([0-9a-f]{64})\n/.exec(made) ?? [];
		expect(made).not.toContain('PRIVATE');
		expect(statSync(join(folder, 'root.pem')).mode & 0o777).toBe(0o600);
		// A root is never written over another one.
		expect(run(['root', '--out', 'root.pem']).status).toBe(1);
		const draft = encodeKeyList({
			version: 3,
			issuedSeconds: 1_799_000_000,
			nextUpdateSeconds: 1_800_000_000,
			keys: []
		});
		const signed = run(['sign', '-', '--root', 'root.pem'], Buffer.from(draft).toString('base64url'));
		expect(signed.stderr).toContain('key list 3');
		const list = Uint8Array.from(Buffer.from(signed.stdout.trim(), 'base64url'));
		const roots = [{ kid, publicKey: fromHex(publicKey) }];
		expect(await verifyKeyList(list, roots, verifySignature, 0)).toMatchObject({ outcome: 'good' });
		expect(run(['sign', '-', '--root', 'root.pem'], 'bm8gbGlzdA').stderr).toBe('this is no key list\n');
	});

	it('shows what it can do, and asks nobody without an account', () => {
		expect(run([]).stderr).toContain('npm run keys -- COMMAND');
		const asked = spawnSync(process.execPath, [program, 'list'], {
			...{ encoding: 'utf8' as const, env: { ...env, MARSAD_EMAIL: '', MARSAD_PASSWORD: '' } }
		});
		expect(asked).toMatchObject({ status: 1, stderr: 'MARSAD_EMAIL and MARSAD_PASSWORD say who asks\n' });
	});
});
