import type { ConnectRefusal, LoadReason } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { createPaceLimit } from '../http/client-limits.ts';
import { createTokenBucket } from '../token-bucket.ts';

/** Whose connection it is, for caps and for the board. */
export interface Seat {
	tenant: string;
	kind: string;
}

/** Who may connect, and when the others come back. */
export interface SocketDoor {
	/** Before anything is read of it: false when not even a reason can be given. */
	knock(): boolean;
	/**
	 * A handshake of this second; null: go on. @param claim who it says it is: each has a pace of its own, so that one who
	 * hammers takes nothing from the others' bucket
	 */
	enter(claim?: string): ConnectRefusal | null;
	/** A place for one that is known; null: taken. */
	sit(seat: Seat): ConnectRefusal | null;
	leave(seat: Seat): void;
	/** Every refusal is counted here, wherever it was made. */
	refuse(refusal: ConnectRefusal): ConnectRefusal;
	/** Window in which clients should come back after this server was lost, milliseconds. */
	spreadMs(): number;
	/** The same for clients whose network was away while this server went on, milliseconds: no wider than all need. */
	networkSpreadMs(): number;
	connected(): { kinds: ReadonlyMap<string, number>; tenants: ReadonlyMap<string, number>; all: number };
	/** Since the last call: handshakes, and refusals by reason. */
	take(): { handshakes: number; refused: ReadonlyMap<string, number> };
}

type Limits = Pick<
	typeof limits.realtime,
	| 'socketsMax'
	| 'socketsPerTenantMax'
	| 'handshakesPerSecond'
	| 'handshakesBurst'
	| 'handshakesAnsweredShare'
	| 'spreadMs'
	| 'spreadMsMax'
	| 'spreadLoad'
	| 'spreadMemoryMs'
	| 'refusedLeastSeconds'
	| 'tenantFullSeconds'
	| 'processFullSeconds'
>;

export function createSocketDoor(deps: {
	elapsedMs: () => number;
	random: () => number;
	onRefused?: (reason: string) => void;
	limits?: { [K in keyof Limits]: number };
}): SocketDoor {
	const own = deps.limits ?? limits.realtime;
	const { elapsedMs, random } = deps;
	const perSecond = own.handshakesPerSecond;
	const answered = own.handshakesAnsweredShare;
	const bucket = createTokenBucket({ burst: own.handshakesBurst, perSecond }, elapsedMs);
	const pace = createPaceLimit({ ...limits.realtime.handshakesOfOne, elapsedMs });
	const outer = createTokenBucket(
		{ burst: own.handshakesBurst * answered, perSecond: perSecond * answered },
		elapsedMs
	);
	const kinds = new Map<string, number>();
	const tenants = new Map<string, number>();
	let all = 0;
	let handshakes = 0;
	let refused = new Map<string, number>();
	const backlog = createBacklog(perSecond, elapsedMs);
	const most = createRecentMost(own.spreadMemoryMs, elapsedMs);

	/** Time that the bucket needs for everybody. */
	const neededMs = () => (Math.max(all, most.read()) / (perSecond * own.spreadLoad)) * 1_000;

	const refuse: SocketDoor['refuse'] = (refusal) => {
		const reason = refusal.reason ?? refusal.code;
		refused.set(reason, (refused.get(reason) ?? 0) + 1);
		deps.onRefused?.(reason);
		return refusal;
	};
	const later = (
		code: 'busy' | 'too_many_connections',
		reason: LoadReason,
		leastSeconds: number,
		overSeconds: number
	) => refuse({ code, reason, retryAfterSeconds: Math.ceil(leastSeconds + random() * overSeconds) });

	return {
		knock() {
			if (outer.take()) return true;
			handshakes += 1;
			backlog.add();
			refuse({ code: 'busy', reason: 'handshakes', retryAfterSeconds: null });
			return false;
		},
		enter(claim) {
			handshakes += 1;
			const waitMs = claim === undefined ? 0 : pace.take(claim);
			if (waitMs > 0)
				return later(
					'busy',
					'pace',
					Math.max(own.refusedLeastSeconds, waitMs / 1_000),
					own.refusedLeastSeconds
				);
			if (bucket.take()) return null;
			// Spread over the time that the bucket needs for all who were refused: also who comes back to the second.
			return later('busy', 'handshakes', own.refusedLeastSeconds, backlog.add());
		},
		sit({ tenant, kind }) {
			if (all >= own.socketsMax) {
				const { processFullSeconds } = own;
				return later('busy', 'process-full', processFullSeconds, processFullSeconds);
			}
			const ofTenant = tenants.get(tenant) ?? 0;
			if (ofTenant >= own.socketsPerTenantMax) {
				const { tenantFullSeconds } = own;
				return later('too_many_connections', 'tenant-full', tenantFullSeconds, tenantFullSeconds);
			}
			all += 1;
			tenants.set(tenant, ofTenant + 1);
			kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
			most.note(all);
			return null;
		},
		leave({ tenant, kind }) {
			all -= 1;
			lower(tenants, tenant);
			lower(kinds, kind);
		},
		refuse,
		spreadMs: () => Math.round(Math.min(own.spreadMsMax, Math.max(own.spreadMs, neededMs()))),
		networkSpreadMs: () => Math.round(Math.min(own.spreadMsMax, neededMs())),
		connected: () => ({ kinds, tenants, all }),
		take() {
			const taken = { handshakes, refused };
			handshakes = 0;
			refused = new Map();
			return taken;
		}
	};
}

function lower(counts: Map<string, number>, key: string): void {
	const left = (counts.get(key) ?? 1) - 1;
	if (left <= 0) counts.delete(key);
	else counts.set(key, left);
}

/** How many were refused and are not served yet, as far as one can know. */
function createBacklog(perSecond: number, elapsedMs: () => number) {
	let people = 0;
	let atMs = elapsedMs();
	return {
		/** One more. @returns seconds that the bucket needs for all of them */
		add(): number {
			const nowMs = elapsedMs();
			people = Math.max(0, people - ((nowMs - atMs) / 1_000) * perSecond) + 1;
			atMs = nowMs;
			return people / perSecond;
		}
	};
}

/** The greatest of the last while, in two halves. */
function createRecentMost(memoryMs: number, elapsedMs: () => number) {
	let turnedMs = elapsedMs();
	let young = 0;
	let old = 0;
	const turn = () => {
		if (elapsedMs() - turnedMs < memoryMs / 2) return;
		old = elapsedMs() - turnedMs < memoryMs ? young : 0;
		young = 0;
		turnedMs = elapsedMs();
	};
	return {
		note(value: number) {
			turn();
			young = Math.max(young, value);
		},
		read() {
			turn();
			return Math.max(young, old);
		}
	};
}
