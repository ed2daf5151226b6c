import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** What OWASP's password storage sheet asks of argon2id: 19 MiB, two passes, one lane. */
const memoryKib = 19_456;
const passes = 2;
const parallelism = 1;
const saltBytes = 16;
const tagBytes = 32;

const written =
	/^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Hashes a password with a fresh salt; the parameters stand in the answer, in the usual `$argon2id$…` form. */
export async function hashPassword(password: string): Promise<string> {
	const salt = randomBytes(saltBytes);
	const tag = await derive('argon2id', {
		message: password,
		nonce: salt,
		memory: memoryKib,
		passes,
		parallelism,
		tagLength: tagBytes
	});
	return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
}

/** True when the password gives the same hash under the parameters that were written with it. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
	const match = written.exec(hash);
	if (!match) return false;
	const [, memory, t, p, salt = '', tag = ''] = match;
	const expected = Buffer.from(tag, 'base64');
	const actual = await derive('argon2id', {
		message: password,
		nonce: Buffer.from(salt, 'base64'),
		memory: Number(memory),
		passes: Number(t),
		parallelism: Number(p),
		tagLength: expected.length
	});
	return timingSafeEqual(actual, expected);
}

/** A hash that no password matches: an unknown e-mail costs as much work as a known one. */
export const nobodysHash = `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${toBase64(Buffer.alloc(saltBytes))}$${toBase64(Buffer.alloc(tagBytes))}`;

function toBase64(bytes: Buffer): string {
	return bytes.toString('base64').replace(/=+$/, '');
}
