import { createTokenSigner } from './signed-token.ts';

/** Who is prepared, with what was asked for; times are epoch ms. */
export interface Ready {
	holder: string;
	party: number;
	/** ISO 639-1. */
	language: string;
	/** Another body has said that the person may book. */
	eligibilityChecked: boolean;
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
/** Party 1, checked 1, language 2, times 6 each; then the holder. */
const headBytes = 16;

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
			head.writeUInt8(ready.eligibilityChecked ? 1 : 0, 1);
			head.write(ready.language, 2, 2, 'latin1');
			head.writeUIntBE(ready.issuedAt, 4, 6);
			head.writeUIntBE(ready.expiresAt, 10, 6);
			return signer.sign(Buffer.concat([head, Buffer.from(ready.holder)]), '');
		},
		read(token) {
			const payload = signer.read(token, '');
			if (!payload || payload.length <= headBytes) return null;
			const expiresAt = payload.readUIntBE(10, 6);
			if (expiresAt <= options.now()) return null;
			return {
				holder: payload.subarray(headBytes).toString(),
				party: payload.readUInt8(0),
				language: payload.toString('latin1', 2, 4),
				eligibilityChecked: payload.readUInt8(1) === 1,
				issuedAt: payload.readUIntBE(4, 6),
				expiresAt
			};
		}
	};
}
