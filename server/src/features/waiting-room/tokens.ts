import { timingSafeEqual } from 'node:crypto';
import { createTokenMac } from './token-mac.ts';

/** What both stand for. The holder is not inside: it is part of what is signed. */
interface Claims {
	epoch: number;
	number: number;
	party: number;
}

/** What a ticket stands for, enough to take it in again where it was lost; times are epoch ms. */
export interface TicketClaims extends Claims {
	joinedAt: number;
	late: boolean;
}

/** What a pass stands for; times are epoch ms. */
export interface PassClaims extends Claims {
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

/** Epoch 4, number 4, party and late 1, then times of 6 bytes each. */
const ticketBytes = 15;
const passBytes = 21;
const timeBytes = 6;
const lateBit = 0x80;
const macBytes = 32;
/** `.` between kind, key id, payload and signature never occurs inside them. */
const shape = /^([TP])1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{20,28})\.([A-Za-z0-9_-]{43})$/;

/** HMAC-SHA256 under keys derived from the master secret (HKDF), one for tickets and one for passes. */
export function createTokenCodec(options: { secret: string; season: string; room: string }): TokenCodec {
	const { secret } = options;
	const scope = [options.season, options.room];
	const macs = {
		T: createTokenMac({ secret, kind: 'T', purpose: 'ticket', scope }),
		P: createTokenMac({ secret, kind: 'P', purpose: 'pass', scope })
	};

	const sign = (kind: 'T' | 'P', payload: Buffer, holder: string) =>
		`${kind}1.${macs[kind].id}.${payload.toString('base64url')}.${macs[kind].of(payload, holder).toString('base64url')}`;
	const read = (kind: 'T' | 'P', token: unknown, holder: string, bytes: number): Buffer | null => {
		if (typeof token !== 'string' || token.length > 128) return null;
		const parts = shape.exec(token);
		if (!parts || parts[1] !== kind || parts[2] !== macs[kind].id) return null;
		const payload = Buffer.from(parts[3]!, 'base64url');
		const given = Buffer.from(parts[4]!, 'base64url');
		if (payload.length !== bytes || given.length !== macBytes) return null;
		if (!timingSafeEqual(given, macs[kind].of(payload, holder))) return null;
		// base64url has spare bits: only the one spelling that we write counts.
		return payload.toString('base64url') === parts[3] && given.toString('base64url') === parts[4]
			? payload
			: null;
	};
	const pack = (claims: Claims, late: boolean, times: readonly number[]) => {
		const payload = Buffer.alloc(9 + timeBytes * times.length);
		payload.writeUInt32BE(claims.epoch, 0);
		payload.writeUInt32BE(claims.number, 4);
		payload.writeUInt8(claims.party | (late ? lateBit : 0), 8);
		times.forEach((time, index) => payload.writeUIntBE(time, 9 + timeBytes * index, timeBytes));
		return payload;
	};
	const unpack = (payload: Buffer) => ({
		epoch: payload.readUInt32BE(0),
		number: payload.readUInt32BE(4),
		party: payload.readUInt8(8) & ~lateBit
	});
	const timeOf = (payload: Buffer, index: number) => payload.readUIntBE(9 + timeBytes * index, timeBytes);

	return {
		signTicket: (claims, holder) => sign('T', pack(claims, claims.late, [claims.joinedAt]), holder),
		readTicket(token, holder) {
			const payload = read('T', token, holder, ticketBytes);
			if (!payload) return null;
			const late = (payload.readUInt8(8) & lateBit) !== 0;
			return { ...unpack(payload), joinedAt: timeOf(payload, 0), late };
		},
		signPass: (claims, holder) => sign('P', pack(claims, false, [claims.issuedAt, claims.expiresAt]), holder),
		readPass(token, holder) {
			const payload = read('P', token, holder, passBytes);
			if (!payload) return null;
			return { ...unpack(payload), issuedAt: timeOf(payload, 0), expiresAt: timeOf(payload, 1) };
		}
	};
}
