import type { Alarm, AlarmSummary } from '@marsad/server/contract';

const nobody = { critical: 0, high: 0, medium: 0, low: 0 };
const text = (en: string) => ({ ar: en, en });

/** An alarm of a quiet minute for tests: each says what it changes. */
export function testAlarm(change: Partial<Alarm> = {}): Alarm {
	return {
		...{ id: '1', definition: 'zone-step', priority: 'high', zone: 'plaza-5', state: 'unacknowledged' },
		subject: { kind: 'zone', id: 'plaza-5', names: text('Plaza 5') },
		...{ dataLost: false, title: text('fills'), cause: text('c'), consequence: text('q'), action: text('a') },
		...{ who: null, timeToRespondSeconds: 300, raisedAt: 1_000, worsenedAt: null, returnedAt: null },
		evidence: { value: 87, limit: 85, unit: 'percent', at: 1_000 },
		...{ acknowledged: null, confirmed: null, claim: null },
		links: { team: null, dispatch: null, gate: null, level: null },
		...{ ringsAgainAt: null, rangAgain: 0, escalation: null, shelved: null, shelvable: true },
		...{ suppressed: null, outOfService: null, soundSeq: 1, inFlood: false, chattering: false, stale: false },
		...{ quality: 'live', mark: 'none' },
		...change
	};
}

export function testSummary(change: Partial<AlarmSummary> = {}): AlarmSummary {
	return {
		...{ at: 1_000, active: nobody, unacknowledged: nobody, returned: 0, shelved: 0, suppressed: 0 },
		...{ outOfService: 0, dataLost: 0, perTenMinutes: 0, flood: null, sound: null, first: [] },
		...{ escalation: null, evaluatedAt: 1_000, more: false, mark: 'none' },
		...change
	};
}
