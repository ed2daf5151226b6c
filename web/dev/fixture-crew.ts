import type { Alarm, AlarmFigures, AlarmSummary, Dispatch, Incident, Team } from '@marsad/server/contract';

/** Alarms, teams, orders and an incident of one busy minute, to look at. Times are relative to `now`. */

const none = { team: null, dispatch: null, gate: null, level: null };
const act = { by: 'Crowd controller', byId: 'crowd' };

function alarm(now: number, change: Partial<Alarm>): Alarm {
	return {
		...{ id: '1', definition: 'zone-step', priority: 'high', zone: 'plaza-5', state: 'unacknowledged' },
		subject: { kind: 'zone', id: 'plaza-5', names: { ar: 'ساحة 5', en: 'Plaza 5' } },
		...{ dataLost: false, title: { ar: 'بلغت 87٪ من سعتها', en: 'is 87 % full' } },
		cause: { ar: 'يدخل أكثر مما يخرج', en: 'More people come in than leave' },
		consequence: { ar: 'تمتلئ خلال 9 إلى 14 دقيقة', en: 'Full within 9 to 14 minutes' },
		action: {
			ar: 'افتح الممر الشرقي ووجّه الناس إلى رواق 3',
			en: 'Open the east rope line, send people to Hall 3'
		},
		who: { ar: 'مشرف الحشود', en: 'crowd controller' },
		...{ timeToRespondSeconds: 300, raisedAt: now - 92_000, worsenedAt: null, returnedAt: null },
		evidence: { value: 87, limit: 85, unit: 'percent', at: now - 2_000 },
		...{ acknowledged: null, confirmed: null, claim: null, links: none, ringsAgainAt: now + 400_000 },
		...{
			rangAgain: 0,
			escalation: null,
			shelved: null,
			shelvable: true,
			suppressed: null,
			outOfService: null
		},
		...{ soundSeq: 1, inFlood: false, chattering: false, stale: false, quality: 'live', mark: 'simulated' },
		...change
	};
}

export function alarmsNow(now: number, isFlood: boolean): Record<string, unknown> {
	const north = {
		kind: 'zone',
		id: 'north-court',
		names: { ar: 'الصحن الشمالي', en: 'North court' }
	} as const;
	const list = [
		alarm(now, {
			priority: 'critical',
			title: { ar: 'بلغت 97٪ من سعتها', en: 'is 97 % full' },
			shelvable: false,
			escalation: { step: 'duty-manager', at: now - 30_000 },
			evidence: { value: 97, limit: 95, unit: 'percent', at: now }
		}),
		alarm(now, {
			id: '2',
			subject: north,
			zone: north.id,
			priority: 'high',
			dataLost: true,
			state: 'acknowledged',
			acknowledged: { ...act, at: now - 200_000 },
			title: { ar: 'عدادات منقطعة', en: 'counters are silent' },
			evidence: { value: null, limit: 74, unit: 'percent', at: now - 245_000 },
			claim: { ...act, at: now - 180_000, heartbeatAt: now - 4_000, alive: true },
			quality: 'unknown'
		}),
		alarm(now, {
			id: '3',
			priority: 'medium',
			state: 'acknowledged',
			acknowledged: { ...act, at: now - 60_000 },
			links: { ...none, team: 't4', dispatch: 'd1' },
			rangAgain: 1
		}),
		alarm(now, {
			id: '4',
			definition: 'device-gone',
			priority: 'medium',
			zone: null,
			subject: { kind: 'device', id: 'plaza-1-c2', names: { ar: 'عدّاد ساحة 1', en: 'Counter of plaza 1' } },
			title: { ar: 'انقطع', en: 'is gone' },
			state: 'returned-unacknowledged',
			returnedAt: now - 40_000,
			chattering: true,
			evidence: { value: 44, limit: 15, unit: 'seconds', at: now }
		}),
		alarm(now, {
			id: '5',
			definition: 'device-clock',
			priority: 'low',
			zone: null,
			subject: { kind: 'device', id: 'hall-3-c1', names: { ar: 'عدّاد رواق 3', en: 'Counter of hall 3' } },
			title: { ar: 'ساعته غير صحيحة', en: 'has a wrong clock' },
			evidence: { value: 41, limit: 10, unit: 'seconds', at: now }
		}),
		...(isFlood
			? Array.from({ length: 24 }, (_, i) =>
					alarm(now, {
						id: `f${i}`,
						priority: 'low',
						inFlood: true,
						zone: i % 3 ? 'plaza-1' : 'hall-3',
						soundSeq: 0
					})
				)
			: [])
	];
	const counts = (only: (each: Alarm) => boolean) => ({
		critical: 0,
		high: 0,
		medium: 0,
		low: 0,
		...Object.fromEntries(
			(['critical', 'high', 'medium', 'low'] as const).map((priority) => [
				priority,
				list.filter((each) => each.priority === priority && only(each)).length
			])
		)
	});
	const summary: AlarmSummary = {
		...{ at: now, active: counts((each) => each.state !== 'returned-unacknowledged') },
		unacknowledged: counts((each) => each.state === 'unacknowledged'),
		...{
			returned: 1,
			shelved: 1,
			suppressed: 0,
			outOfService: 1,
			dataLost: 1,
			perTenMinutes: isFlood ? 29 : 5
		},
		flood: isFlood ? { since: now - 300_000, first: '1', hidden: 24 } : null,
		...{
			sound: null,
			first: ['1', '2', '3', '4'],
			escalation: 'duty-manager',
			evaluatedAt: now,
			more: false
		},
		mark: 'simulated'
	};
	const aside = [
		{
			definition: 'gate-outside',
			subject: { kind: 'gate', id: 'gate-5', names: { ar: 'بوابة 5', en: 'Gate 5' } },
			title: { ar: 'يزداد الحشد خارجها', en: 'crowd outside grows' },
			how: 'shelved',
			by: 'Duty manager',
			at: now - 600_000,
			until: now + 1_200_000,
			reason: 'works at the rope line',
			alarm: '9'
		},
		{
			definition: 'device-gone',
			subject: { kind: 'device', id: 'ramp-6-c1', names: { ar: 'عدّاد منحدر 6', en: 'Counter of ramp 6' } },
			title: { ar: 'انقطع', en: 'is gone' },
			how: 'out-of-service',
			by: 'Administrator',
			at: now - 9_000_000,
			until: null,
			reason: 'lens broken, new one on Sunday',
			alarm: null
		}
	];
	return { summary, aside, ...Object.fromEntries(list.map((each) => [`alarm:${each.id}`, each])) };
}

export function crewNow(now: number): Record<string, unknown> {
	const team = (n: number, change: Partial<Team>): Team => ({
		...{
			id: `t${n}`,
			version: 1,
			names: { ar: `فريق ${n}`, en: `Team ${n}` },
			channel: `TG ${n}`,
			phone: `555-010${n}`
		},
		...{ leaders: [], members: 6, home: 'plaza-1', shift: null, offDuty: false, state: 'free', jobs: [] },
		place: { zone: 'plaza-1', at: now - 240_000, quality: 'live' },
		reservedFrom: null,
		...change
	});
	const order = (change: Partial<Dispatch>): Dispatch => ({
		...{
			id: 'd1',
			team: 't4',
			teamNames: { ar: 'فريق 4', en: 'Team 4' },
			channel: 'TG 4',
			phone: '555-0104'
		},
		...{
			source: { kind: 'alarm', id: '3' },
			task: 'Open the east rope line, send people to Hall 3',
			priority: 'high'
		},
		place: { zone: 'plaza-5', names: { ar: 'ساحة 5', en: 'Plaza 5' }, gate: null, spot: null },
		state: 'on-the-way',
		steps: (['sent', 'acknowledged', 'on-the-way'] as const).map((state, i) => ({
			state,
			at: now - 110_000 + i * 28_000,
			by: 'x',
			byTeam: i > 0
		})),
		...{
			startsAt: null,
			unanswered: false,
			walkMinutes: { from: 4, to: 6 },
			support: null,
			reason: null,
			forced: null
		},
		...{ replacedBy: null, mark: 'simulated' },
		welfare: { lastAt: now - 54_000, dueAt: now + 546_000, everyMs: 600_000, missed: 0, heat: true },
		...change
	});
	const incident: Incident = {
		...{ id: 'i1', kind: 'lost-person', note: 'child, red shirt, near the well', openedAt: now - 245_000 },
		place: { zone: 'hall-3', names: { ar: 'رواق 3', en: 'Hall 3' }, gate: null, spot: null },
		...{ openedBy: 'Crowd controller', state: 'open', dispatches: ['d2'], closed: null, mark: 'simulated' },
		told: [{ agency: '911', at: now - 200_000, by: 'x' }],
		claim: { ...act, at: now - 180_000, heartbeatAt: now - 60_000, alive: false }
	};
	const sent = [{ state: 'sent', at: now - 75_000, by: 'x', byTeam: false }] as Dispatch['steps'];
	const all = [
		...[1, 3].map((n) => team(n, {})),
		team(2, { state: 'busy', jobs: ['d2'] }),
		team(4, { state: 'busy', jobs: ['d1'], leaders: [{ id: 'lead', name: 'lead' }] }),
		team(5, {
			state: 'off-duty',
			place: { zone: null, at: null, quality: 'unknown' },
			shift: { from: '16:00', to: '04:00' }
		})
	].map((each) => [`team:${each.id}`, each]);
	const orders = [
		order({}),
		order({
			id: 'd2',
			team: 't2',
			teamNames: { ar: 'فريق 2', en: 'Team 2' },
			state: 'sent',
			steps: sent,
			unanswered: true,
			welfare: null,
			source: { kind: 'incident', id: 'i1' }
		}),
		order({
			id: 'd3',
			team: 't3',
			teamNames: { ar: 'فريق 3', en: 'Team 3' },
			state: 'cannot',
			reason: 'The way is blocked',
			welfare: null
		})
	].map((each) => [`dispatch:${each.id}`, each]);
	return Object.fromEntries([...all, ...orders, ['incident:i1', incident]]);
}

export const nearestNow = (now: number) => ({
	place: { zone: 'plaza-5', names: { ar: 'ساحة 5', en: 'Plaza 5' }, gate: null, spot: null },
	proposals: [1, 3, 2, 5].map((n, i) => ({
		...{
			team: `t${n}`,
			state: n === 2 ? 'busy' : n === 5 ? 'off-duty' : 'free',
			reservedFrom: null,
			via: []
		},
		place: {
			zone: n === 5 ? null : 'plaza-1',
			at: n === 5 ? null : now - 240_000,
			quality: n === 5 ? 'unknown' : 'live'
		},
		...{ metres: n === 5 ? null : 240 + i * 100, minutes: n === 5 ? null : { from: 4 + i, to: 6 + i } },
		why: n === 5 ? 'place-unknown' : 'ok'
	}))
});

export function figuresNow(now: number): AlarmFigures {
	return {
		...{ from: now - 86_400_000, at: now, annunciations: 148, floodMinutes: 24 },
		perTenMinutes: Array.from({ length: 144 }, (_, i) => ({
			startsAt: now - (144 - i) * 600_000,
			annunciations: i > 90 && i < 95 ? 16 : i % 7 === 0 ? 2 : 1
		})),
		topTen: [
			{
				definition: 'device-gone',
				subject: { kind: 'device', id: 'c', names: { ar: 'عدّاد ساحة 1', en: 'Counter of plaza 1' } },
				title: { ar: 'انقطع', en: 'is gone' },
				annunciations: 31,
				share: 0.21
			}
		],
		...{ chattering: ['4'], stale: [], meanSecondsToAcknowledge: 42, meanSecondsToConfirm: null },
		mix: { critical: 3, high: 12, medium: 40, low: 93 },
		...{ shelvedNow: 1, suppressedNow: 0, outOfServiceNow: 1, quality: 'live', mark: 'simulated' }
	};
}
