import {
	createCipheriv,
	createDecipheriv,
	createHash,
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	hkdfSync,
	randomBytes,
	sign,
	verify,
	type KeyObject
} from 'node:crypto';
import { kidBytes, type SignMessage, type VerifySignature } from '../../../contract/permit/index.ts';

/** Encrypts what lies in the database under the master secret; `name` binds the text to what it is the key of. */
export interface Vault {
	close(plain: Uint8Array, name: string): Buffer;
	/** Null for what was closed under another secret or name, or altered. */
	open(sealed: Uint8Array, name: string): Buffer | null;
}

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a key derived (HKDF) from the master secret for this purpose alone. */
export function createVault(secret: string): Vault {
	const key = Buffer.from(hkdfSync('sha256', secret, 'marsad', 'permits:keys-at-rest', 32));
	return {
		close(plain, name) {
			const iv = randomBytes(ivBytes);
			const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
			const body = Buffer.concat([cipher.update(plain), cipher.final()]);
			return Buffer.concat([iv, cipher.getAuthTag(), body]);
		},
		open(sealed, name) {
			try {
				const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes));
				decipher.setAAD(Buffer.from(name));
				decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
				return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
			} catch {
				return null;
			}
		}
	};
}

/** A new pair; the private part as PKCS #8, to be closed at once. */
export interface NewKeyPair {
	kid: string;
	publicKey: Uint8Array<ArrayBuffer>;
	privateKey: Buffer;
}

export function newKeyPair(): NewKeyPair {
	const pair = generateKeyPairSync('ed25519');
	const publicKey = rawPublicKey(pair.publicKey);
	const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
	return { kid: kidOf(publicKey), publicKey, privateKey };
}

/** The id of a key: the first bytes of the SHA-256 of its public part, in hexadecimal. */
export function kidOf(publicKey: Uint8Array): string {
	return createHash('sha256')
		.update(publicKey)
		.digest('hex')
		.slice(0, kidBytes * 2);
}

export function rawPublicKey(key: KeyObject): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url'));
}

/** Signs with a private key in PKCS #8. */
export function signerOf(privateKey: Buffer): SignMessage {
	const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
	return (message) => sign(null, message, key);
}

/** Checks a signature with node:crypto. */
export const verifySignature: VerifySignature = (publicKey, signature, message) => {
	const x = Buffer.from(publicKey).toString('base64url');
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	return verify(null, message, key, signature);
};

/** Whether 32 bytes are a point that a signature can be checked under. */
export function isPublicKey(publicKey: Uint8Array<ArrayBuffer>): boolean {
	try {
		void verifySignature(publicKey, new Uint8Array(64), new Uint8Array(0));
		return true;
	} catch {
		return false;
	}
}
