/** A test that shows what a row says: a file of the repository, and the test's own name in it. */
export interface Proof {
	file: string;
	name: string;
}

/** A part that may fail; its words are the messages `fail_{id}_{column}`. */
export interface FailingPart {
	id: string;
	/** Under which name its state now stands among the dependencies of the spike screen. */
	dependency?: string;
	proofs: readonly Proof[];
}

/** What is told of each part, in the order in which it is asked. */
export const failingColumns = ['goes_on', 'stops', 'seen', 'acts'] as const;

/** Nearest to people first; each row is as true as the tests it names. */
export const failingParts: readonly FailingPart[] = [
	{
		id: 'gate_network',
		proofs: [
			{
				file: 'web/e2e/scan.test.ts',
				name: 'reads a permit with the camera after a cold start without a network, and its entry arrives once'
			},
			{
				file: 'server/src/features/entries/entries.test.ts',
				name: '500 people offline, sent three times: each is there once, in order of their own clock'
			}
		]
	},
	{
		id: 'old_lists',
		proofs: [
			{
				file: 'web/e2e/scan.test.ts',
				name: 'reads by hand: an altered permit is red, one under a key it has not heard of is amber, and green after news'
			}
		]
	},
	{
		id: 'counter',
		proofs: [
			{
				file: 'web/e2e/staff-crowd.test.ts',
				name: 'shows a zone whose counters are silent as unknown, not as empty, and takes a count made on the spot'
			},
			{
				file: 'server/src/features/alarms/life.test.ts',
				name: 'keeps an alarm whose sensor died, as unknown, through days and restarts, and says no return'
			}
		]
	},
	{
		id: 'broker',
		dependency: 'broker',
		proofs: [
			{
				file: 'server/src/features/sensors/sensors.test.ts',
				name: 'loses nothing when all counters come back at once with a backlog'
			},
			{
				file: 'server/src/platform/broker/publisher-acks.test.ts',
				name: 'is not given when the server goes away: the device is cut off and sends again'
			}
		]
	},
	{
		id: 'server',
		proofs: [
			{ file: 'server/test/kill.test.ts', name: 'of the server: every ticket still holds its place' },
			{
				file: 'web/e2e/public-job.test.ts',
				name: 'keeps the place through kill -9 of the server, and says that the connection is lost meanwhile'
			},
			{
				file: 'server/src/features/alarms/alarms-kill.test.ts',
				name: 'keeps state, hands, shelves and rules out of service, and repeats no sound'
			}
		]
	},
	{
		id: 'instance',
		proofs: [
			{
				file: 'server/src/features/waiting-room/valkey-loss.test.ts',
				name: 'counts the leases of an instance that was killed, and frees them when their time is up'
			},
			{
				file: 'server/src/features/gates/two-instances.test.ts',
				name: 'keep a hold, its timer and a re-opening step when the one that was told is killed with -9'
			},
			{
				file: 'server/src/features/alarms/two-instances.test.ts',
				name: 'are raised by one of them, are the same on both, and go on when the one that leads is killed'
			}
		]
	},
	{
		id: 'leader',
		proofs: [
			{
				file: 'server/src/features/waiting-room/valkey-loss.test.ts',
				name: 'refuses a leader that was overtaken: frozen and woken, it changes nothing'
			},
			{
				file: 'server/test/switch-instances.test.ts',
				name: 'a frozen one is seen to be behind, then left out; woken, it follows'
			}
		]
	},
	{
		id: 'database',
		dependency: 'database',
		proofs: [
			{
				file: 'server/test/switch-instances.test.ts',
				name: 'without PostgreSQL the last known level holds on all, and screens say so until it is back'
			},
			{
				file: 'server/test/kill.test.ts',
				name: 'of everything, the embedded PostgreSQL too: every ticket still holds its place'
			}
		]
	},
	{
		id: 'valkey',
		dependency: 'valkey',
		proofs: [
			{
				file: 'server/src/features/waiting-room/valkey-loss.test.ts',
				name: 'gives people 503 while the server stands still, and nobody is lost or doubled'
			},
			{
				file: 'server/src/features/waiting-room/valkey-loss.test.ts',
				name: 'is rebuilt when it was emptied: every ticket and pass as it was, numbers never twice'
			}
		]
	},
	{
		id: 'unleash',
		dependency: 'unleash',
		proofs: [
			{
				file: 'server/src/platform/flags/unleash.test.ts',
				name: 'keeps the last known flags when Unleash goes away, says so, and follows again when it is back'
			},
			{
				file: 'server/src/features/levels/unleash-mirror.test.ts',
				name: '%s: the switch is in force at once, what waits is said, and written when it is back'
			}
		]
	},
	{
		id: 'eligibility',
		dependency: 'eligibility',
		proofs: [
			{
				file: 'server/src/features/booking/eligibility-http.test.ts',
				name: 'failing: the breaker opens, and people hear how long it rests'
			},
			{
				file: 'server/src/features/booking/eligibility-http.test.ts',
				name: 'slow: people wait for it without holding a connection, and everybody is booked'
			}
		]
	},
	{
		id: 'issuer',
		proofs: [
			{
				file: 'server/src/features/permits/identity-issuer.test.ts',
				name: 'takes nobody’s identity: the keys that were fetched go on working for a day'
			}
		]
	},
	{
		id: 'overload',
		proofs: [
			{
				file: 'server/src/platform/http/overload.test.ts',
				name: 'history gives way first, then status, joins, claims, bookings; what may never be refused never is'
			}
		]
	},
	{
		id: 'screen',
		proofs: [
			{
				file: 'web/src/lib/live/link.test.ts',
				name: 'says within 15 s that a silent link is dead, dated from the last sign of life'
			},
			{
				file: 'web/e2e/staff-wall.test.ts',
				name: 'shows an alarm of a cut on its return, once, and with one sound'
			}
		]
	},
	{
		id: 'all_connections',
		proofs: [
			{
				file: 'server/src/platform/realtime/reconnect-storm.test.ts',
				name: 'are let in no faster than the bucket allows, and are all back soon after the server is'
			}
		]
	},
	{
		id: 'beacon',
		proofs: [
			{
				file: 'server/src/features/waiting-room/draw/draw-life.test.ts',
				name: 'does not come where no beacon is named and nothing is simulated: the draw stands still'
			}
		]
	}
];
