import type {
	ConductorDecision,
	CrowdTotal,
	EntryGap,
	EvacuationState,
	Gate,
	GateProposal,
	LevelsState,
	RoomHand,
	Scanner,
	SpikeNow,
	Zone
} from '@marsad/server/contract';

/** Figures of a quiet minute, for tests and the fixture server: each says what it changes. */
export function sampleZone(change: Partial<Zone> = {}): Zone {
	return {
		id: 'plaza-5',
		name: 'Plaza 5',
		names: { ar: 'ساحة 5', en: 'Plaza 5' },
		present: 4_000,
		capacity: 10_000,
		occupancy: 0.4,
		density: 1.2,
		quality: 'live',
		mark: 'none',
		at: 1_000_000,
		ageSeconds: 1,
		sources: { heard: 12, expected: 12 },
		step: null,
		timeToCapacity: null,
		netInflowPerMinute: 20,
		lastKnown: { present: 4_000, at: 1_000_000 },
		worstCase: null,
		drift: false,
		levelOfService: 'C',
		flowPerMinute: { in: 50, out: 30 },
		movement: 'moving',
		binding: {
			which: 'holding',
			people: 10_000,
			signedBy: { ar: 'الشخص المختص', en: 'Competent person' },
			signedOn: '2026-01-15'
		},
		holdPoint: null,
		upstream: [],
		disagreement: null,
		error: null,
		anchor: null,
		heat: null,
		assumedFullAt: null,
		hints: [],
		...change
	};
}

export function sampleTotal(change: Partial<CrowdTotal> = {}): CrowdTotal {
	return {
		present: 61_480,
		capacity: 96_000,
		missing: [],
		drift: [],
		sources: { heard: 121, expected: 121 },
		at: 1_000_000,
		quality: 'live',
		mark: 'none',
		...change
	};
}

/** An open entry that its steward confirmed, and nobody waits. */
export function sampleGate(change: Partial<Gate> = {}): Gate {
	return {
		id: 'gate-5',
		names: { ar: 'بوابة 5', en: 'Gate 5' },
		direction: 'in',
		zone: 'plaza-5',
		lanes: 60,
		fullRatePerMinute: 660,
		version: 3,
		commanded: {
			state: 'open',
			at: 900_000,
			by: 'Crowd controller',
			reason: 'calm',
			ratePerMinute: null,
			holdUntil: null
		},
		confirmed: { state: 'open', at: 910_000, by: 'Gate steward', byRadio: false },
		difference: null,
		hold: null,
		reopening: null,
		crowdOutside: {
			people: 120,
			quality: 'live',
			growthPerMinute: 0,
			capacity: 2_000,
			zone: null,
			at: 1_000_000,
			mark: 'none'
		},
		shows: 'entry',
		mark: 'none',
		...change
	};
}

export function sampleGap(change: Partial<EntryGap> = {}): EntryGap {
	return {
		...{
			gate: 'gate-5',
			authority: 'counters',
			counted: 1_240,
			scanned: 1_200,
			gap: 40,
			countOnly: 12,
			unproven: 3
		},
		...{ windowSeconds: 3_600, at: 1_000_000, quality: 'live', mark: 'none', ...change }
	};
}

export function sampleScanner(change: Partial<Scanner> = {}): Scanner {
	return {
		...{ id: 's-0123456789ab', name: 'Gate 5, lane 1', gate: 'gate-5', createdAt: 1, createdBy: 'admin' },
		...{ revokedAt: null, seenAt: 1_000_000, state: 'online', entries: 900, setAside: 0, newestSeq: 900 },
		clock: { offsetMs: 120, uncertaintyMs: 80, state: 'good' },
		report: {
			...{ queued: 0, build: 'sample' },
			keys: { version: 3, ageSeconds: 600 },
			revocations: { version: 40, ageSeconds: 30 }
		},
		...change
	};
}

export function sampleProposal(change: Partial<GateProposal> = {}): GateProposal {
	return {
		id: 'plaza-5:85',
		zone: 'plaza-5',
		zoneNames: { ar: 'ساحة 5', en: 'Plaza 5' },
		percent: 85,
		action: { ar: 'تحويل القادمين، فريق احتياط جاهز', en: 'Divert, team on stand-by' },
		asks: 'divert',
		since: 1_000_000,
		quality: 'live',
		feeds: [{ kind: 'gate', id: 'gate-5', names: { ar: 'بوابة 5', en: 'Gate 5' }, perMinute: 92 }],
		gates: [
			{
				gate: 'gate-5',
				names: { ar: 'بوابة 5', en: 'Gate 5' },
				version: 3,
				state: 'metered',
				ratePerMinute: 330
			}
		],
		mark: 'none',
		...change
	};
}

export function sampleEvacuation(change: Partial<EvacuationState> = {}): EvacuationState {
	return { version: 0, active: null, last: null, mark: 'none', ...change };
}

const provenance = { at: 1_000_000, quality: 'live', mark: 'none' } as const;

export function sampleSpike(change: Partial<SpikeNow> = {}): SpikeNow {
	return {
		at: 1_000_000,
		room: {
			joinedPerSecond: 90,
			admittedPerSecond: 90,
			joined: 5_400,
			admitted: 5_400,
			ratio: 1,
			depth: 0,
			called: 0,
			active: 100,
			oldestSeconds: null,
			emptiesAt: null,
			placesMax: 20_000,
			noShow: 0.08,
			late: 0,
			pending: 0,
			mode: 'open',
			...provenance
		},
		work: { offered: 5_400, served: 5_400, ratio: 1, belowOneSeconds: 0, ...provenance },
		booking: { p50Ms: 120, p95Ms: 640, p99Ms: 900, count: 5_400, ...provenance },
		outcomes: {
			booked: 5_400,
			repeated: 12,
			slotFull: 3,
			alreadyBooked: 0,
			noPass: 0,
			notEligible: 1,
			busy: 0,
			closed: 0,
			faults: 0,
			...provenance
		},
		pool: { inUse: 3, size: 10, waitingForOne: 0, waitP95Ms: 1, ...provenance },
		rate: {
			perSecond: 250,
			managerPerSecond: 250,
			levelCapPerSecond: null,
			narrowestPerSecond: 312,
			health: 1,
			limitedBy: 'manager',
			measured: true,
			byHand: true,
			blind: false,
			blindSince: null,
			missing: [],
			worstSignal: null,
			worstValue: null,
			...provenance
		},
		process: {
			eventLoopP99Ms: 12,
			sockets: 4,
			reconnectsPerSecond: 0,
			pollsPerSecond: 40,
			memoryMb: 180,
			...provenance
		},
		dependencies: [{ name: 'database', state: 'up', breaker: null, detail: null, at: 1_000_000 }],
		queues: [{ name: 'booking', depth: 0, oldestSeconds: null, drainPerSecond: 90 }],
		level: 0,
		mark: 'none',
		...change
	};
}

export function sampleDecision(change: Partial<ConductorDecision> = {}): ConductorDecision {
	return {
		at: 1_000_000,
		kind: 'change',
		before: 250,
		perSecond: 180,
		limitedBy: 'health',
		worstSignal: 'booking p95',
		worstValue: 2_100,
		health: 0.72,
		blindSince: null,
		missing: [],
		mode: 'open',
		level: 0,
		managerPerSecond: 250,
		levelCapPerSecond: null,
		narrowestPerSecond: null,
		allowedPerSecond: 180,
		provenPerSecond: 180,
		waiting: 40_000,
		called: 120,
		active: 900,
		noShow: 0.08,
		...change
	};
}

export function sampleHand(change: Partial<RoomHand> = {}): RoomHand {
	return {
		perSecond: 250,
		mode: 'open',
		last: [
			{
				at: 900_000,
				by: 'duty@example.org',
				kind: 'rate',
				reason: 'the narrowest part was measured again',
				from: 200,
				to: 250
			}
		],
		...change
	};
}

/** What stands beside a level that somebody set by hand. */
export const byHand = {
	source: 'hand',
	chips: [],
	exercise: false,
	from: null,
	until: null,
	rule: null
} satisfies Partial<LevelsState['current']>;

export function sampleLevels(change: Partial<LevelsState> = {}): LevelsState {
	return {
		current: { level: 0, version: 1, since: 900_000, by: null, reason: null, ...byHand, source: 'start' },
		proposal: null,
		ruleProposal: null,
		undo: null,
		drill: null,
		lastDrills: [],
		levels: [],
		switches: [],
		rules: [],
		flags: {},
		protectedFeatures: ['permit-display'],
		instances: [{ id: 'a', version: 1, level: 0, at: 1_000_000 }],
		unleash: { state: 'not-configured', at: null },
		history: [],
		...change
	};
}
