import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What a ticket stands for. The holder is not inside: it is part of what is signed. */
export interface TicketClaims {
	epoch: number;
	number: number;
}

/** What a pass stands for; times are epoch ms. */
export interface PassClaims extends TicketClaims {
	issuedAt: number;
	expiresAt: number;
}

/** Signs and checks tickets and passes of one room. A reader gets null for everything that is not authentic for this holder. */
export interface TokenCodec {
	signTicket(claims: TicketClaims, holder: string): string;
	readTicket(token: unknown, holder: string): TicketClaims | null;
	signPass(claims: PassClaims, holder: string): string;
	readPass(token: unknown, holder: string): PassClaims | null;
}

const ticketBytes = 8;
const passBytes = 24;
const macBytes = 32;
/** `.` between kind, key id, payload and signature never occurs inside them. */
const shape = /^([TP])1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{11,32})\.([A-Za-z0-9_-]{43})$/;

/** A key for one purpose, and the short name it is known by. */
function deriveKey(secret: string, purpose: string): { key: Buffer; id: string } {
	const derive = (info: string, bytes: number) =>
		Buffer.from(hkdfSync('sha256', secret, 'marsad', info, bytes));
	return {
		key: derive(`waiting-room:${purpose}`, 32),
		id: derive(`waiting-room:${purpose}:id`, 6).toString('base64url')
	};
}

/** HMAC-SHA256 under keys derived from the master secret (HKDF), one for tickets and one for passes. */
export function createTokenCodec(options: { secret: string; season: string; room: string }): TokenCodec {
	const keys = { T: deriveKey(options.secret, 'ticket'), P: deriveKey(options.secret, 'pass') };

	const macOf = (kind: 'T' | 'P', payload: Buffer, holder: string) => {
		const mac = createHmac('sha256', keys[kind].key);
		// Lengths in front: no two different sets of parts give the same bytes.
		for (const part of [kind, keys[kind].id, options.season, options.room, holder]) {
			const bytes = Buffer.from(part);
			const length = Buffer.alloc(4);
			length.writeUInt32BE(bytes.length);
			mac.update(length).update(bytes);
		}
		return mac.update(payload).digest();
	};
	const sign = (kind: 'T' | 'P', payload: Buffer, holder: string) =>
		`${kind}1.${keys[kind].id}.${payload.toString('base64url')}.${macOf(kind, payload, holder).toString('base64url')}`;
	const read = (kind: 'T' | 'P', token: unknown, holder: string, bytes: number): Buffer | null => {
		if (typeof token !== 'string' || token.length > 128) return null;
		const parts = shape.exec(token);
		if (!parts || parts[1] !== kind || parts[2] !== keys[kind].id) return null;
		const payload = Buffer.from(parts[3]!, 'base64url');
		const given = Buffer.from(parts[4]!, 'base64url');
		if (payload.length !== bytes || given.length !== macBytes) return null;
		if (!timingSafeEqual(given, macOf(kind, payload, holder))) return null;
		// base64url has spare bits: only the one spelling that we write counts.
		return payload.toString('base64url') === parts[3] && given.toString('base64url') === parts[4]
			? payload
			: null;
	};
	const pack = (claims: TicketClaims, bytes: number) => {
		const payload = Buffer.alloc(bytes);
		payload.writeUInt32BE(claims.epoch, 0);
		payload.writeUInt32BE(claims.number, 4);
		return payload;
	};
	const unpack = (payload: Buffer) => ({ epoch: payload.readUInt32BE(0), number: payload.readUInt32BE(4) });

	return {
		signTicket: (claims, holder) => sign('T', pack(claims, ticketBytes), holder),
		readTicket(token, holder) {
			const payload = read('T', token, holder, ticketBytes);
			return payload && unpack(payload);
		},
		signPass(claims, holder) {
			const payload = pack(claims, passBytes);
			payload.writeBigUInt64BE(BigInt(claims.issuedAt), 8);
			payload.writeBigUInt64BE(BigInt(claims.expiresAt), 16);
			return sign('P', payload, holder);
		},
		readPass(token, holder) {
			const payload = read('P', token, holder, passBytes);
			if (!payload) return null;
			return {
				...unpack(payload),
				issuedAt: Number(payload.readBigUInt64BE(8)),
				expiresAt: Number(payload.readBigUInt64BE(16))
			};
		}
	};
}
