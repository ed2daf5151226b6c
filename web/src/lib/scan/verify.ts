import type { VerifySignature } from '@marsad/server/contract/permit';

/** A public key and signature of RFC 8032 (7.1, test 2), to try whether this browser knows Ed25519 at all. */
const trial = {
	key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
	message: '72',
	signature:
		'92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00'
};

/** Keys of the list that were made ready before; there are 64 and two roots at most. */
const readyMax = 66;

/**
 * Checks Ed25519 signatures with the browser's own cryptography. Null where it has none: an old browser, or a page that
 * does not come over HTTPS.
 */
export async function createVerifier(
	subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
): Promise<VerifySignature | null> {
	if (!subtle) return null;
	const ready = new Map<string, CryptoKey>();
	const keyOf = async (publicKey: Uint8Array<ArrayBuffer>) => {
		const name = publicKey.join();
		const known = ready.get(name);
		if (known) return known;
		const key = await subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']);
		if (ready.size >= readyMax) ready.clear();
		ready.set(name, key);
		return key;
	};
	const verify: VerifySignature = async (publicKey, signature, message) => {
		let key: CryptoKey;
		try {
			key = await keyOf(publicKey);
		} catch {
			return false;
		}
		return subtle.verify({ name: 'Ed25519' }, key, signature, message);
	};
	try {
		const isRight = await verify(bytes(trial.key), bytes(trial.signature), bytes(trial.message));
		const isWrong = await verify(bytes(trial.key), bytes(trial.signature), bytes('73'));
		return isRight && !isWrong ? verify : null;
	} catch {
		return null;
	}
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
		Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16)
	);
}
