import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { fromHex } from '../../contract/permit/index.ts';

export interface TestKey {
	kid: string;
	publicKey: Uint8Array<ArrayBuffer>;
	privateKey: KeyObject;
}

/** Keys of the vectors: made of a seed that everybody can read, so that they are worth nothing. */
export function testKey(seed: number): TestKey {
	const head = fromHex('302e020100300506032b657004220420');
	const der = Buffer.concat([head, Buffer.alloc(32, seed)]);
	const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
	const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
	const publicKey = Uint8Array.from(Buffer.from(x ?? '', 'base64url'));
	return { kid: createHash('sha256').update(publicKey).digest('hex').slice(0, 8), publicKey, privateKey };
}

export const signWith = (key: KeyObject) => (message: Uint8Array) => sign(null, message, key);
