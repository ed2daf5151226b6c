import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeKeyList, sealKeyList, toHex } from '../server/contract/permit/index.ts';
import { kidOf, newKeyPair, signerOf } from '../server/src/features/permits/key-crypto.ts';

/** `npm run keys -- …`: the root is made and used here, away from the server; the rest is asked of a server. */

const usage = `npm run keys -- COMMAND
where the root is kept, without a network:
  root [--out FILE]           makes a root; its private key is shown once, or written to FILE (mode 600)
  sign DRAFT --root FILE      shows what a draft says and signs it; - reads it from the standard input
on a running server (MARSAD_URL, MARSAD_EMAIL, MARSAD_PASSWORD; --reason for each command):
  list                        keys, lists and the draft that waits for the root
  pin PUBLICKEY               a root that lists may be signed under; scanners pin the same
  next                        a new key, which signs 48 hours after its list was signed
  publish SIGNED              the draft with the root's signature; - reads it from the standard input
a key in other hands, in this order:
  urgent                      a new key that signs as soon as its list is published
  reissue KID                 permits of the lost key are signed under the new one: tell the people
  compromised KID [--permits N]   nothing under it is good any more; N valid permits die with it`;

const text = { type: 'string' } as const;
const options = { out: text, root: text, reason: text, permits: text };
type Values = { [name in keyof typeof options]?: string | undefined };

process.exitCode = await main();

async function main(): Promise<number> {
	try {
		const { values, positionals } = parseArgs({ options, allowPositionals: true });
		const [command = '', argument, more] = positionals;
		if (more !== undefined) return fail(usage);
		if (command === 'root') return makeRoot(values.out);
		if (command === 'sign') return signDraft(argument, values.root);
		const call = callOf(command, argument, values);
		return call ? await askServer(...call) : fail(usage);
	} catch (error) {
		return fail(error instanceof Error ? error.message : String(error));
	}
}

function fail(message: string): number {
	process.stderr.write(`${message}\n`);
	return 1;
}

function say(message: string): void {
	process.stdout.write(`${message}\n`);
}

function here(file: string): string {
	return resolve(process.env['INIT_CWD'] ?? '.', file);
}

function readText(file: string): string {
	return readFileSync(file === '-' ? 0 : here(file), 'utf8').trim();
}

function makeRoot(out: string | undefined): number {
	const { kid, publicKey, privateKey } = newKeyPair();
	const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
	const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
	if (out !== undefined) writeFileSync(here(out), pem, { mode: 0o600, flag: 'wx' });
	else say(`private key, shown once; keep it away from every server:\n${pem}`);
	say(`root ${kid}\npublic key ${toHex(publicKey)}`);
	return 0;
}

function signDraft(draft: string | undefined, rootFile: string | undefined): number {
	if (draft === undefined || rootFile === undefined) return fail(usage);
	const payload = Uint8Array.from(Buffer.from(readText(draft), 'base64url'));
	const list = decodeKeyList(payload);
	if (!list) return fail('this is no key list');
	const key = createPrivateKey(readText(rootFile));
	const { x } = createPublicKey(key).export({ format: 'jwk' });
	if (key.asymmetricKeyType !== 'ed25519' || !x) return fail('the root is no Ed25519 key');
	const when = (seconds: number) => new Date(seconds * 1_000).toISOString();
	process.stderr.write(`key list ${list.version}, good until ${when(list.nextUpdateSeconds)}\n`);
	for (const { kid, notBeforeSeconds, notAfterSeconds, compromised } of list.keys) {
		const state = compromised ? ', COMPROMISED' : '';
		process.stderr.write(`  ${kid} from ${when(notBeforeSeconds)} to ${when(notAfterSeconds)}${state}\n`);
	}
	const root = kidOf(Buffer.from(x, 'base64url'));
	const signed = sealKeyList(payload, root, signerOf(key.export({ format: 'der', type: 'pkcs8' })));
	say(Buffer.from(signed).toString('base64url'));
	return 0;
}

type ServerCall = [method: 'GET' | 'POST', path: string, body?: object];

/** What a command asks of the server; null for one that does not exist. */
function callOf(command: string, argument: string | undefined, values: Values): ServerCall | null {
	const keys = '/api/v1/permits/keys';
	const { reason } = values;
	if (command === 'list') return ['GET', keys];
	if (command === 'next') return ['POST', keys, { reason }];
	if (command === 'urgent') return ['POST', keys, { reason, urgent: true }];
	if (argument === undefined) return null;
	if (command === 'pin') return ['POST', '/api/v1/permits/roots', { reason, publicKey: argument }];
	if (command === 'publish') return ['POST', `${keys}/list`, { reason, list: readText(argument) }];
	const path = `${keys}/${encodeURIComponent(argument)}`;
	if (command === 'reissue') return ['POST', `${path}/reissue`, { reason }];
	const permits = values.permits === undefined ? {} : { permits: Number(values.permits) };
	return command === 'compromised' ? ['POST', `${path}/compromised`, { reason, ...permits }] : null;
}

async function askServer(method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
	const { MARSAD_URL: url = 'http://127.0.0.1:3000', MARSAD_EMAIL, MARSAD_PASSWORD } = process.env;
	if (!MARSAD_EMAIL || !MARSAD_PASSWORD) return fail('MARSAD_EMAIL and MARSAD_PASSWORD say who asks');
	const send = (how: string, target: string, given: object | undefined, cookie: string) =>
		fetch(new URL(target, url), {
			method: how,
			headers: {
				...(how === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
				...(given ? { 'content-type': 'application/json' } : {}),
				...(cookie ? { cookie } : {})
			},
			...(given ? { body: JSON.stringify(given) } : {}),
			signal: AbortSignal.timeout(30_000)
		});
	const account = { email: MARSAD_EMAIL, password: MARSAD_PASSWORD };
	const session = await send('POST', '/api/v1/session', account, '');
	if (!session.ok) return fail(`the sign-in was answered with ${session.status}`);
	const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
	const answer = await send(method, path, body, cookie);
	const answered = await answer.text();
	if (!answer.ok) return fail(answered);
	say(JSON.stringify(JSON.parse(answered), null, 2));
	return 0;
}
