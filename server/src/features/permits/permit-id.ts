import { randomBytes } from 'node:crypto';
import { permitIdBytes, permitIdOf } from '../../../contract/permit/index.ts';

/** A new permit's id, `7Q4M-KX2D-9RHT-WC3E`: random, and nothing of the person in it. */
export function newPermitId(bytes: Uint8Array = randomBytes(permitIdBytes)): string {
	return permitIdOf(bytes);
}

/** The id as it was issued, from what a person typed: case, spaces and look-alike letters do not matter. */
export function readPermitId(typed: string): string | null {
	if (typed.length > 40) return null;
	const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
	if (!/^[0-9A-HJKMNP-TV-Z]{16}$/.test(plain)) return null;
	return plain.replace(/(.{4})(?=.)/g, '$1-');
}
