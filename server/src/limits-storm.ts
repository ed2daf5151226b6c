/** Caps of everybody who connects, pulls and pushes at the same time. */
export const stormLimits = {
	realtime: {
		/** Connections of one process. */
		socketsMax: 6_000,
		/** Connections of one tenant to one process. */
		socketsPerTenantMax: 40,
		topicsPerSocketMax: 8,
		messageBytesMax: 4_096,
		/** Packets waiting for one slow screen; past it, it gets the newest state instead of the backlog. */
		bufferedPacketsMax: 8,
		/** Handshakes that are looked at: so many a second, and so many at once after a calm. */
		handshakesPerSecond: 200,
		handshakesBurst: 200,
		/** Of one client or tenant, by what it shows before it is known: a noisy one must not empty the bucket of all. */
		handshakesOfOne: { burst: 80, perSecond: 2, keysMax: 50_000, forgetMs: 600_000 },
		/** So many times as many are answered at all, with the reason; past it the door does not even open. */
		handshakesAnsweredShare: 5,
		/** Handshakes that wait for the store to say who it is. */
		handshakesWaiting: 400,
		/** Window in which clients come back: at least this, and wide enough for the bucket to take everybody. */
		spreadMs: 30_000,
		spreadMsMax: 300_000,
		/** Of the bucket, so much is planned with. */
		spreadLoad: 0.8,
		/** The most clients of the last while decide: after a cut there are none. */
		spreadMemoryMs: 600_000,
		/** A refused handshake comes back after at least so long; later when many were refused. */
		refusedLeastSeconds: 5,
		tenantFullSeconds: 60,
		processFullSeconds: 30,
		/** A dead client is found out in their sum. */
		pingEveryMs: 6_000,
		pingTimeoutMs: 8_000
	},
	sync: {
		/** Pulls of one client: so many at once, then so many a second. */
		pace: { burst: 40, perSecond: 1, keysMax: 50_000, forgetMs: 600_000 },
		/** Unknown tokens and cookies of one address likewise. */
		callsPerMinute: 12_000,
		/** Pulls being answered at the same moment, of one tenant, waiting of one tenant, waiting in all. */
		queue: { running: 8, runningPerTenant: 4, waitingPerTenant: 60, waiting: 2_000, deadlineMs: 10_000 },
		/** One kind that is not read by then is not ready; the others are answered. */
		readTimeoutMs: 5_000,
		/** A difference that is not made by then is told as the whole thing. */
		shortenTimeoutMs: 1_000,
		/** What is the same for everybody is read so often at the most. */
		freshMs: 250,
		/** Bytes of things in one answer: what does not fit comes with the next. */
		answerBytesMax: 1_500_000,
		/** Things in a set that a cursor can remember. */
		thingsMax: 2_800,
		/** A cursor is good for so long. */
		cursorMs: 86_400_000,
		/** Lines behind in a log: further back the last page is sent instead. */
		logBehindMax: 2_000,
		/** A hole in the numbers of a log may still be filled for so long: no statement runs longer. */
		logSettleMs: 30_000,
		/** When to pull again. */
		pullAfterMs: { scanner: 10_000, staff: 15_000 },
		pullAfterMsMax: 60_000
	},
	/** In front of the pull: opens above this share of failures in a minute, of at least so many pulls. */
	breaker: {
		...{ failureShare: 0.05, windowMs: 60_000, least: 20, openMs: 30_000 },
		/** Pulls that are let through to try; each must say within this time how it went. */
		...{ probes: 3, probeMs: 15_000 }
	}
} as const;
