import type { PersonAttributes } from '../../../contract/index.ts';
import { createTokenSigner } from './signed-token.ts';

/** Who is prepared, with what was asked for; times are epoch ms. */
export interface Ready {
	holder: string;
	party: number;
	/** ISO 639-1. */
	language: string;
	/** By what quotas count the person, as another body has said. */
	attributes: PersonAttributes;
	issuedAt: number;
	expiresAt: number;
}

/** Writes and reads the signed "ready": everything is inside, so that nobody need be asked on the day. */
export interface ReadyCodec {
	sign(ready: Ready): string;
	/** Null for everything that is not authentic or has run out. */
	read(token: string): Ready | null;
}

export const readyPrefix = 'R1.';
/** Party 1, language 2, times 6 each; then the texts, a line each, empty where nothing was said. */
const headBytes = 15;

export function createReadyCodec(options: { secret: string; season: string; now: () => number }): ReadyCodec {
	const signer = createTokenSigner({
		secret: options.secret,
		kind: 'R1',
		purpose: 'ready',
		scope: [options.season]
	});
	return {
		sign(ready) {
			const head = Buffer.alloc(headBytes);
			head.writeUInt8(ready.party, 0);
			head.write(ready.language, 1, 2, 'latin1');
			head.writeUIntBE(ready.issuedAt, 3, 6);
			head.writeUIntBE(ready.expiresAt, 9, 6);
			const { country, provider, category } = ready.attributes;
			const texts = [ready.holder, country, provider, category].map((text) => text ?? '').join('\n');
			return signer.sign(Buffer.concat([head, Buffer.from(texts)]), '');
		},
		read(token) {
			const payload = signer.read(token, '');
			if (!payload || payload.length <= headBytes) return null;
			const expiresAt = payload.readUIntBE(9, 6);
			if (expiresAt <= options.now()) return null;
			const [holder = '', country = '', provider = '', category = ''] = payload
				.subarray(headBytes)
				.toString()
				.split('\n');
			return {
				holder,
				party: payload.readUInt8(0),
				language: payload.toString('latin1', 1, 3),
				attributes: { country: country || null, provider: provider || null, category: category || null },
				issuedAt: payload.readUIntBE(3, 6),
				expiresAt
			};
		}
	};
}
