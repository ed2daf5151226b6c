import { entryLimits } from './limits-entries.ts';
import { stormLimits } from './limits-storm.ts';
import { reductionLimits } from './limits-reductions.ts';
import { runLimits } from './limits-runs.ts';

/** Every cap in one table. A cap that bites counts in a metric named beside its use. */
export const limits = {
	http: {
		/** Bytes of a staff or public JSON body. */
		bodyBytes: 16_384,
		/** Bytes of one reading by HTTP: the most that any adapter takes (see `readings`). */
		readingBytes: 262_144,
		requestTimeoutMs: 30_000,
		connectionTimeoutMs: 120_000,
		keepAliveTimeoutMs: 10_000,
		headersTimeoutMs: 15_000,
		/** One client (ticket, token, browser key) and kind of call: so many at once, then so many a second. */
		client: { burst: 60, perSecond: 10, keysMax: 200_000, forgetMs: 60_000 },
		/** One address, whoever is behind it: a sign that something is wrong, not a fair share. */
		address: { burst: 20_000, perSecond: 2_000, keysMax: 50_000, forgetMs: 60_000 },
		/** Requests a minute from one address to the staff API. */
		staffRequestsPerMinute: 1_200,
		/** Failed sign-ins in five minutes from one address. */
		signInsPerFiveMinutes: 30,
		maxUrlLength: 4_096
	},
	/** Signs of load: nothing is refused up to `start`, everything that may be refused is from `most` on. */
	shedding: {
		eventLoopMs: { start: 500, most: 5_000 },
		poolWaitMs: { start: 500, most: 4_000 },
		bookings: { start: 2_500, most: 5_000 }
	},
	people: {
		/** A session ends so long after it was last used, and at the latest so long after it began. */
		sessionMs: 43_200_000,
		sessionMaxMs: 604_800_000,
		/** How often the use of a session is written down. */
		sessionTouchMs: 60_000,
		/** Failed sign-ins in five minutes to one account, from addresses that never signed in to it. */
		failuresPerAccount: 20,
		/** Accounts of one role in one answer. */
		listMax: 500,
		/** Addresses and accounts whose failures are remembered. */
		failureCountersMax: 20_000,
		/** Passwords checked at the same moment (19 MiB each), and waiting for it. */
		passwordChecksConcurrent: 2,
		passwordChecksWaiting: 60,
		firstLinkMs: 86_400_000
	},
	levels: {
		fileBytesMax: 262_144,
		proposalMs: 300_000,
		/** The safety net beside the notice of each switch. */
		pollMs: 1_000,
		/** An answer that takes longer is none. */
		readTimeoutMs: 3_000,
		/** A reading older than this is no news: the last known level holds, and that is said. */
		freshMs: 5_000,
		heardEveryMs: 5_000,
		/** An instance that was not heard for so long is left out of the list. */
		instanceGoneMs: 20_000,
		historyShown: 20,
		/** A switch can be taken back for so long. */
		undoMs: 60_000,
		/** The planned end of a level lies so far ahead at most. */
		untilMaxMs: 86_400_000,
		/** In force for longer it is a forgotten switch, unless the file says otherwise. */
		forgottenMs: 7_200_000,
		/** Everybody is paged for so long about a glass that was broken. */
		breakGlassRingsMs: 600_000,
		/** Rules are looked at so often; figures older than this are none. */
		lookEveryMs: 1_000,
		figuresFreshMs: 5_000,
		/** A gap in the figures up to this long stops the time of a rule, a longer one begins it anew. */
		gapMs: 15_000,
		/** Windows of figures are a minute long: so long after a switch they are of before. */
		settleMs: 60_000,
		/** What a rule proposes stands for so long; after that, or "not now", the rule is quiet for so long. */
		ruleProposalMs: 900_000,
		cooldownMs: 300_000,
		/** Points of the chart that a proposal carries. */
		evidencePointsMax: 240,
		/** A drill ends when its figures were unknown for so long. */
		drillBlindMs: 30_000,
		/** What a drill is measured against: so long before it. */
		drillBeforeMs: 180_000,
		drillsShown: 50
	},
	/** Staff answers that may be a while old while a level says so. */
	answerCache: { heldMs: 30_000, answersMax: 100, bytesMax: 2_097_152 },
	unleash: {
		/** Its client's own default, 15 s, would show a flag flipped there too late. */
		refreshMs: 3_000,
		timeoutMs: 5_000,
		/** How often is looked whether it has fallen silent. */
		watchMs: 1_000,
		/** The client gives up for good on a refused token: a new one is tried after so long, then after twice as long. */
		retryRefusedMs: 5_000,
		retryRefusedMsMax: 300_000,
		/** Between two tries to write there. */
		writeAgainMs: 1_000,
		writeAgainMsMax: 30_000,
		/** What it says is judged only so long after we wrote or switched: an answer under way for `timeoutMs`, its own caches, clocks that differ. */
		settleMs: 9_000
	},
	permits: {
		/** The next key stands in the list for so long before it signs anything. */
		noticeMs: 172_800_000,
		/** A key is good for permits that end so long after it was made: longer than a season. */
		keyMs: 34_560_000_000,
		/** After this a newer list should have come: signed by hand, by ourselves, and the revocations. */
		keyListByHandMs: 2_592_000_000,
		keyListMs: 86_400_000,
		revocationsMs: 21_600_000,
		/** How often an instance looks whether keys or revoked permits have changed. */
		refreshMs: 5_000,
		/** A revoked permit leaves the list so long after its window: no gate takes it then. */
		revokedKeptMs: 172_800_000,
		revokedMax: 2_000_000,
		/** Versions of the revocation list whose differences are kept, and signed differences in memory. */
		turnsKept: 500,
		deltasKept: 100,
		/** Moved permits that a scanner is told of, newest first. */
		movedShownMax: 1_000,
		rootsMax: 2,
		gatesOfPlaceMax: 32
	},
	commands: { keyLengthMax: 255, keepHours: 48 },
	record: { pageSize: 200 },
	database: {
		...{ connectTimeoutMs: 5_000, statementTimeoutMs: 15_000, idleTimeoutMs: 30_000 },
		/** How long a start waits for a database that recovers, and how often it asks. */
		...{ startingWaitMs: 120_000, startingPauseMs: 500 }
	},
	...stormLimits,
	mqtt: {
		/** The most that any adapter takes (see `readings`). */
		payloadBytesMax: 262_144,
		connectionsMax: 2_000,
		messagesPerSecondPerClient: 200,
		/** One simulator speaks for a whole fleet. */
		messagesPerSecondPerSimulator: 20_000,
		inflightMax: 5_000
	},
	readings: {
		/** Bytes of one message, unless its adapter knows of more. */
		payloadBytes: 65_536,
		/**
		 * Formats that send what waited in one piece: a Xovis push of three minutes is 77 kB, and Irisys sends up to
		 * 256 KB after an outage.
		 */
		backlogBytes: 262_144,
		/** Bytes of a request that asks how a payload would be read: the payload as text, hexadecimal or base64. */
		previewBytes: 600_000,
		/** Names of keys that the preview lists. */
		droppedKeysMax: 200,
		/** Numbers in one message; a push with more is refused whole. */
		perMessageMax: 2_000,
		/** Readings waiting to be written; past it the oldest waits are counted and the newest is refused. */
		bufferMax: 50_000,
		batchMax: 2_000,
		flushEveryMs: 250,
		/** The same while no sender waits for the commit. */
		flushIdleMs: 1_000,
		/** How long a message key is remembered against duplicates. */
		duplicateWindowHours: 48,
		keepHours: 72
	},
	valkey: {
		connectTimeoutMs: 3_000,
		commandTimeoutMs: 5_000,
		/** Back-off with full jitter between these. */
		retryBaseMs: 50,
		retryMaxMs: 2_000,
		keepAliveMs: 5_000
	},
	/** What one instance tells all others. */
	relay: {
		/** Entries kept of the stream that all channels share; whoever missed more reads everything. */
		entriesMax: 1_000,
		readMax: 200,
		/** A writer with nothing to say says that it is there. */
		aliveEveryMs: 1_000,
		/** What was heard of a writer is stale after such a silence. */
		silentMs: 3_000,
		blockMs: 1_000,
		retryMs: 250,
		/** A reader that was held up for so long may have missed entries. */
		doubtMs: 10_000
	},
	waitingRoom: {
		/** After the clocks stood: so long nobody new is called while passes of before are inside. */
		returnHoldMs: 15_000,
		/** People in one room; past it the door answers 503. */
		ticketsMax: 2_000_000,
		/** Joins waiting for their commit. */
		joinBufferMax: 20_000,
		joinBatchMax: 1_000,
		joinBatchMs: 5,
		/** Work of one call to Valkey: joins, claims, calls or drawn people. */
		valkeyBatchMax: 500,
		/** Figures of a room in Valkey are at most so old. */
		lookEveryMs: 250,
		/** What PostgreSQL does not know yet of a room in Valkey. */
		journalEveryMs: 500,
		journalBatchMax: 2_000,
		/** Numbers reserved in PostgreSQL in one go; what a crash leaves of a block is a gap. */
		numberBlockMin: 32,
		numberBlockMax: 5_000,
		passBatchMax: 500,
		/** How long a pass may wait for its batch, and a batch for PostgreSQL. */
		passDeadlineMs: 6_000,
		passTimeoutMs: 8_000,
		/** People of a draw who get their number in one round. */
		placeBatchMax: 5_000,
		/** Days with places that are named when the wanted ones are gone. */
		otherDaysMax: 10,
		/** People whose turn comes in one round (a tenth of a second). */
		calledPerRoundMax: 2_000,
		/** People inside (living passes) and called at once. */
		activeMax: 20_000,
		/** A turn waits so long to be claimed. */
		claimWindowMs: 600_000,
		passMs: 900_000,
		/** A renewed pass lives at most so long in all. */
		passMaxMs: 2_700_000,
		laboratoryClaimWindowMs: 120_000,
		laboratoryPassMs: 120_000,
		laboratoryPassMaxMs: 360_000
	},
	identity: {
		/** Characters of an identity token and of its subject. */
		tokenLengthMax: 8_192,
		subjectLengthMax: 512,
		/** Seconds by which the issuer's clock may differ. */
		leewaySeconds: 30,
		/** One call to the issuer. */
		timeoutMs: 3_000,
		/** After a failure nobody asks the issuer again for so long. */
		retryMs: 5_000,
		retrySeconds: 5,
		/** A key nobody knows makes the keys be fetched again at most so often. */
		unknownKeyCooldownMs: 30_000,
		/** Keys are looked at again after so long, and trusted so long while the issuer is away. */
		keysFreshMs: 600_000,
		keysMaxMs: 86_400_000
	},
	draw: {
		/** Registrations waiting for their commit; past it the door answers 503. */
		registerBufferMax: 20_000,
		registerBatchMax: 1_000,
		registerBatchMs: 5,
		registerDeadlineMs: 10_000,
		registerTimeoutMs: 8_000,
		/** Entries read, ranked and placed in one go. */
		pageSize: 5_000,
		/** How often the draw's work is looked at. */
		stepMs: 250,
		/** An instance that works on a draw and is not heard for so long is followed by another. */
		workerMs: 15_000,
		/** The list is frozen for so long without outside randomness: the board says that the draw is stuck. */
		stuckAfterMs: 15_000,
		beaconTimeoutMs: 4_000,
		beaconAnswerBytesMax: 8_192,
		/** How often the beacon is asked. */
		beaconEveryMs: 2_000,
		/** Lists being sent at the same moment by one instance. */
		listsAtOnceMax: 16,
		listTimeoutMs: 600_000,
		/** Proofs being made at the same moment. */
		proofsAtOnceMax: 32,
		/** After the draw so many pages a second ask for their place. */
		askPerSecond: 1_000,
		/** Whoever waits for the draw need not ask before; at the latest after so long. */
		pollMaxMs: 600_000
	},
	ballot: {
		/** Parties in one ballot: its order is walked in memory. */
		entriesMax: 500_000,
		/** Parties that are booked in one commit. */
		bookBatchMax: 200
	},
	ready: {
		/** A signed "ready" lasts so long. */
		lifeMs: 30 * 86_400_000,
		/** People who prepare at the same moment. */
		preparingMax: 500
	},
	booking: {
		/** Comparing every permit of a season with what is counted (2 million: some seconds). */
		reconcileTimeoutMs: 60_000,
		/** Bookings waiting for a batch; past it the door answers 503 with Retry-After. */
		bufferMax: 5_000,
		batchMax: 400,
		batchMs: 4,
		deadlineMs: 10_000,
		/** A batch that has not ended by then is answered 503: its outcome shows at the retry. */
		batchTimeoutMs: 8_000,
		/** A batch that waited so long for its connection found too many at work: fewer run at once from then on. */
		poolWaitMs: 250,
		/** Changes and batches that wait for their turn in front of the pool. */
		poolWaitingMax: 200,
		/** How often a whole batch starts again because another instance was faster with one of its people. */
		raceTriesMax: 5,
		keyLengthMax: 255,
		/** Eligibility checks at the same moment, and waiting for one. */
		eligibilityConcurrent: 200,
		/** So many at once are tried however limited the service is. */
		eligibilityConcurrentMin: 4,
		/** How long a "yes" and a "no" are fresh, and how many are remembered. */
		eligibilityYesMs: 900_000,
		eligibilityNoMs: 30_000,
		eligibilityAnswersMax: 100_000,
		eligibilityWaiting: 2_000,
		eligibilityTimeoutMs: 3_000,
		eligibilityAnswerBytesMax: 4_096,
		slotsCacheMs: 1_000,
		/** While a level has switched search off. */
		slotsCacheSlowMs: 10_000,
		slotsShownMax: 500,
		/** Slots looked through for those that start soon. */
		soonSlotsMax: 2_000,
		daysShownMax: 400,
		alternativesMax: 5,
		/** How full a place is slows bookings for slots there that start so soon; it is read so often. */
		fillWindowMs: 5_400_000,
		placeFillReadMs: 1_000,
		/** So long its last fill holds when it is not known any more. */
		placeFillHoldMs: 60_000,
		/** A share of so many places is divided into shards, of at least so many places, at most so many. */
		shardFrom: 1_000,
		shardPlacesMin: 50,
		shardsMax: 16,
		/** Shares of one quota, and quotas of one season. */
		sharesMax: 400,
		quotasMax: 2_000,
		/** How often shares that are due are returned, and counts are compared with permits. */
		returnEveryMs: 30_000,
		reconcileEveryMs: 300_000,
		/** A reconciliation asked for by hand so soon after the last one gets its answer. */
		reconcileFreshMs: 5_000,
		/** An hour and lane at the very most (people). */
		peoplePerLaneHourMax: 660
	},
	spike: {
		keepSecondsInMemory: 7_200,
		flushEveryMs: 5_000,
		/** Seconds, ten seconds, minutes. */
		keepHours: 48,
		keepTensDays: 14,
		keepMinutesDays: 400,
		historyPointsMax: 8_000,
		/** What the conductor decided: rows kept, and changes on the glass. */
		keepDecisionsDays: 400,
		decisionsShown: 20,
		/** Builds shown as marks, and how often is looked for one that another instance brought. */
		deploysShown: 20,
		deploysReadMs: 60_000,
		probeEveryMs: 2_000,
		probeTimeoutMs: 1_500
	},
	...runLimits,
	alarms: {
		/** Rules are looked at so often. */
		lookEveryMs: 1_000,
		showEveryMs: 1_000,
		/** The safety net beside the notice of each change. */
		reloadEveryMs: 5_000,
		/** What was fed and is not said again for so long is unknown. */
		fedFreshMs: 10_000,
		/** Nobody is missed in the first moments after a start. */
		startGraceMs: 60_000,
		/** A device that never spoke may have a long period. */
		neverHeardGraceMs: 180_000,
		/** Alarms that the live topic carries (about 2 kB each), and lines of one alarm's history. */
		shownMax: 100,
		historyMax: 500,
		pageMax: 200,
		/** Definition and subject pairs that features can feed. */
		fedMax: 5_000,
		figuresHours: 24,
		keepDays: 400
	},
	dispatch: {
		teamsMax: 200,
		/** Orders and incidents that are open at once. */
		openMax: 500,
		/** What is closed stays on the board so long, at most so many. */
		shownAfterMs: 1_800_000,
		closedShown: 100,
		/** The safety net beside the notice of each change. */
		reloadEveryMs: 5_000,
		/** A job of the future may begin in so long at most; and a team is warned about when it is reserved so soon. */
		aheadMaxMs: 86_400_000,
		reservedSoonMs: 1_800_000,
		/** WBGT in degrees Celsius from which a team in an open zone says twice as often that it is well. */
		heatWbgtCelsius: 30,
		/** Words about incidents and orders, and hand-over notes, are deleted after so many days; kind, place and clocks stay. */
		keepWordsDays: 30,
		handoverNotesShown: 5,
		handoverChangesShown: 200
	},
	stateSheets: {
		everyMs: 900_000,
		/** Three days of them in the store, one day as files. */
		keepStored: 288,
		keepFiles: 96
	},
	gates: {
		/** The safety net beside the notice of each command. */
		pollMs: 2_000,
		lookEveryMs: 1_000,
		/** A proposal that was set aside comes back after so long. */
		dismissMs: 600_000,
		/** Gates named by one proposal. */
		proposalGatesMax: 12
	},
	reductions: reductionLimits,
	entries: entryLimits,
	season: {
		/** Living lines of each kind. */
		entriesMax: 200,
		/** Decided announcements that are shown; those in force and open always are. */
		sightingsShown: 20,
		/** The safety net beside the notice of each change. */
		reloadEveryMs: 5_000,
		/** A prayer takes so long from its time on; on Friday at noon longer. */
		prayerMinutes: 30,
		fridayPrayerMinutes: 60
	},
	zones: {
		trendKeepMinutes: 120,
		recountMax: 10_000_000,
		/** A recount above so many times the capacity is asked about again. */
		recountDoubtShare: 1.2
	}
} as const;
