/** Caps of entries, of the scanners that send them, and of their trails. */
export const entryLimits = {
	/** Batches of one scanner: so many at once, then so many a second. */
	batches: { burst: 60, perSecond: 1, keysMax: 20_000, forgetMs: 600_000 },
	/** Unknown tokens of one address likewise. */
	failures: { burst: 60, perSecond: 1, keysMax: 20_000, forgetMs: 600_000 },
	/** Calls a minute from one address: a gate's scanners stand behind one. */
	callsPerMinute: 12_000,
	/** Batches being written at the same moment, of one place, waiting of one place, waiting in all. */
	queue: { running: 4, runningPerTenant: 3, waitingPerTenant: 200, waiting: 400, deadlineMs: 20_000 },
	/** Of an entry that was set aside, so many characters are kept. */
	setAsideCharsMax: 2_000,
	/** And of one scanner so many. */
	setAsidePerScannerMax: 5_000,
	scannersMax: 2_000,
	/** A scanner that was quiet for so long is said to be silent. */
	silentMs: 90_000,
	/** An entry that came so long after its scan is late: it corrects the level, and is no flow of now. */
	lateMs: 60_000,
	/** Starts of a scanner whose clocks are remembered: entries of an older one are told by the device's own clock. */
	bootsKept: 8,
	/** Of two clocks that were never compared in the same boot: so far off an entry may be. */
	otherBootMs: 600_000,
	/** There and back, where the scanner does not say. */
	roundTripMs: 4_000,
	/** Two gates that one permit passes within so long did not know of each other, under re-entry. */
	twoGatesMs: 300_000,
	/** Defaults of a place. */
	earlySeconds: 900,
	lateSeconds: 1_800,
	trailHours: 48,
	movedGraceSeconds: 1_800,
	/** What scanners are told of moved permits is so old at most. */
	movedFreshMs: 2_000,
	/** Counted against scanned over so long. */
	gapWindowSeconds: 3_600,
	keepMinutesDays: 400,
	conflictsShown: 200,
	trailShown: 500,
	looksShown: 20,
	pollMs: 2_000,
	forgetEveryMs: 60_000,
	forgetBatch: 5_000
} as const;
