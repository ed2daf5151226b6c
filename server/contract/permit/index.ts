export { decodeBase45, encodeBase45 } from './base45.ts';
export { fromHex, toHex } from './cbor.ts';
export { decodeClaims, encodeClaims, type PermitClaims } from './claims.ts';
export { PermitFault, type PermitLayer } from './fault.ts';
export {
	decodeKeyList,
	encodeKeyList,
	keysMax,
	sealKeyList,
	verifyKeyList,
	type KeyList,
	type KeyListVerdict,
	type ListedKey,
	type ListFault,
	type RootKey
} from './key-list.ts';
export { permitIdBytes, permitIdOf, permitIdToBytes } from './permit-id.ts';
export {
	openPermit,
	permitPrefix,
	sealPermit,
	verifyPermit,
	type PermitVerdict,
	type UnprovenPermit
} from './permit.ts';
export {
	applyRevocationDelta,
	compareBits,
	decodeRevocationDelta,
	revocationDeltaType,
	revocationTurnedMax,
	sealRevocationDelta,
	verifyRevocationDelta,
	type KnownRevocations,
	type RevocationDelta,
	type RevocationDeltaResult,
	type RevocationDeltaVerdict
} from './revocation-delta.ts';
export {
	decodeRevocationList,
	isRevoked,
	revocationBitsMax,
	revocationListType,
	sealRevocationList,
	toBits,
	verifyRevocationList,
	type NumberedPlace,
	type RevocationList,
	type RevocationVerdict
} from './revocation-list.ts';
export { kidBytes, openSign1, type SignMessage, type VerifySignature } from './sign1.ts';
