/** Every cap in one table. A cap that bites counts in a metric named beside its use. */
export const limits = {
	http: {
		/** Bytes of a staff or public JSON body. */
		bodyBytes: 16_384,
		/** Bytes of one reading by HTTP. */
		readingBytes: 65_536,
		requestTimeoutMs: 30_000,
		connectionTimeoutMs: 120_000,
		keepAliveTimeoutMs: 10_000,
		headersTimeoutMs: 15_000,
		/** Requests a minute from one address to the staff API. */
		staffRequestsPerMinute: 1_200,
		/** Sign-in attempts in five minutes from one address. */
		signInsPerFiveMinutes: 30,
		maxUrlLength: 4_096
	},
	commands: { keyLengthMax: 255, keepHours: 48 },
	record: { pageSize: 200 },
	database: { connectTimeoutMs: 5_000, statementTimeoutMs: 15_000, idleTimeoutMs: 30_000 },
	realtime: {
		socketsMax: 2_000,
		socketsPerAccountMax: 40,
		topicsPerSocketMax: 8,
		messageBytesMax: 4_096,
		/** Packets waiting for one slow screen; past it, it gets the newest state instead of the backlog. */
		bufferedPacketsMax: 8,
		handshakesPerSecond: 200
	},
	mqtt: {
		payloadBytesMax: 65_536,
		connectionsMax: 2_000,
		messagesPerSecondPerClient: 200,
		/** One simulator speaks for a whole fleet. */
		messagesPerSecondPerSimulator: 20_000,
		inflightMax: 5_000
	},
	readings: {
		/** Readings waiting to be written; past it the oldest waits are counted and the newest is refused. */
		bufferMax: 50_000,
		batchMax: 2_000,
		flushEveryMs: 500,
		/** How long a message key is remembered against duplicates. */
		duplicateWindowHours: 48,
		keepHours: 72
	},
	waitingRoom: {
		/** People in one room; past it the door answers 503. */
		ticketsMax: 2_000_000,
		/** Joins waiting for their commit. */
		joinBufferMax: 20_000,
		joinBatchMax: 1_000,
		joinBatchMs: 5,
		/** People inside (living passes) and called at once. */
		activeMax: 20_000,
		/** A turn waits so long to be claimed. */
		claimWindowMs: 600_000,
		passMs: 900_000,
		laboratoryClaimWindowMs: 120_000,
		laboratoryPassMs: 120_000
	},
	booking: {
		/** Bookings waiting for a batch; past it the door answers 503 with Retry-After. */
		bufferMax: 5_000,
		batchMax: 400,
		batchMs: 4,
		deadlineMs: 10_000,
		/** Eligibility checks at the same moment, and waiting for one. */
		eligibilityConcurrent: 200,
		eligibilityWaiting: 2_000,
		eligibilityTimeoutMs: 3_000,
		slotsCacheMs: 1_000,
		/** An hour and lane at the very most (people). */
		peoplePerLaneHourMax: 660
	},
	spike: { keepSecondsInMemory: 3_600, flushEveryMs: 5_000 },
	zones: { trendKeepMinutes: 120, recountMax: 10_000_000 }
} as const;
