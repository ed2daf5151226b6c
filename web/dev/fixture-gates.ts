import type {
	AffectedSlots,
	EvacuationState,
	Gate,
	GateProposal,
	PreviewAnswer
} from '@marsad/server/contract';
import { planOfDemo, type Scene } from './fixture-data.ts';
import { sampleEvacuation, sampleGate, sampleProposal } from './samples.ts';

/** Gates, what is proposed, an evacuation and a read payload, to look at the screens. For development only. */
const plan = planOfDemo();

export function gatesNow(now: number, scene: Scene): Gate[] {
	const isEvacuating = scene === 'evacuation';
	const entries = plan.gates.map(({ id, names, zone, lanes }): Gate => {
		const base = sampleGate({ id, names, zone, lanes, fullRatePerMinute: lanes * 11, mark: 'simulated' });
		const gate = scene === 'calm' ? base : { ...base, ...troubleOf(id, base, now) };
		const shows = isEvacuating ? 'exit' : 'entry';
		return isEvacuating
			? { ...gate, shows, commanded: { ...gate.commanded, state: 'closed', at: now - 95_000 } }
			: gate;
	});
	const exit = sampleGate({
		id: 'exit-1',
		names: { ar: 'مخرج 1', en: 'Exit 1' },
		direction: 'out',
		zone: 'plaza-1',
		crowdOutside: null,
		commanded: { ...sampleGate().commanded, by: null, reason: null },
		confirmed: null,
		mark: 'simulated'
	});
	return [...entries, exit];
}

function troubleOf(id: string, base: Gate, now: number): Partial<Gate> {
	const held = {
		state: 'held',
		at: now - 500_000,
		by: 'Crowd controller',
		reason: 'Plaza 5 at 87 per cent',
		ratePerMinute: null,
		holdUntil: now + 100_000
	} as const;
	if (id === 'gate-5')
		return {
			commanded: held,
			confirmed: { state: 'held', at: now - 470_000, by: 'Gate steward', byRadio: true },
			hold: {
				since: now - 500_000,
				until: now + 100_000,
				secondsMax: 600,
				warning: 'most',
				outsideFullAt: now + 70_000
			},
			crowdOutside: {
				...base.crowdOutside!,
				people: 1_720,
				growthPerMinute: 64,
				zone: 'ramp-4',
				at: now - 2_000
			}
		};
	if (id === 'gate-3')
		return {
			commanded: { ...held, state: 'metered', ratePerMinute: 110, at: now - 200_000, holdUntil: null },
			confirmed: { state: 'held', at: now - 400_000, by: 'Gate steward', byRadio: false },
			difference: { since: now - 200_000, overdue: true },
			crowdOutside: { ...base.crowdOutside!, at: now - 2_000 },
			reopening: { step: 1, steps: 3, nextRatePerMinute: 220, mayAdvance: false }
		};
	if (id === 'gate-7')
		return {
			crowdOutside: {
				...base.crowdOutside!,
				people: null,
				quality: 'unknown',
				growthPerMinute: null,
				capacity: null,
				at: null
			}
		};
	return { crowdOutside: { ...base.crowdOutside!, at: now - 2_000 } };
}

export const slotsNow = (now: number): AffectedSlots => ({
	slots: [
		{
			slot: 3,
			place: 'south',
			placeNames: { ar: 'الجانب الجنوبي', en: 'South side' },
			startsAt: now + 1_500_000,
			endsAt: now + 5_100_000,
			people: 4_120,
			capacity: 6_000,
			pace: 0.5,
			gates: ['gate-5']
		}
	],
	people: 4_120,
	more: false,
	at: now
});

export const proposalsNow = (now: number, scene: Scene): GateProposal[] =>
	scene === 'calm'
		? []
		: [
				sampleProposal({ since: now - 140_000, mark: 'simulated' }),
				sampleProposal({
					id: 'ramp-4:75',
					zone: 'ramp-4',
					zoneNames: { ar: 'منحدر 4', en: 'Ramp 4' },
					percent: 75,
					action: { ar: 'إدخال على دفعات من المنطقة المغذّية', en: 'Meter the feed' },
					asks: 'meter',
					since: now - 60_000,
					gates: [],
					mark: 'simulated'
				})
			];

export function evacuationNow(now: number, scene: Scene): EvacuationState {
	if (scene !== 'evacuation') return sampleEvacuation({ mark: 'simulated' });
	return sampleEvacuation({
		version: 4,
		mark: 'simulated',
		active: {
			id: 'e1',
			scope: { zones: ['plaza-5', 'ramp-4'] },
			zones: ['plaza-5', 'ramp-4'],
			gates: ['gate-4', 'gate-5'],
			reason: 'smoke at the east stairs',
			holder: { id: 'duty', name: 'Duty manager', since: now - 95_000 },
			startedAt: now - 95_000,
			messages: [
				{
					key: 'evacuate-inside',
					audience: 'inside',
					text: {
						ar: 'اخرجوا بهدوء من أقرب مخرج. لا تعودوا. اتبعوا المنظّمين.',
						en: 'Leave calmly by the nearest exit. Do not turn back. Follow the stewards.'
					}
				}
			],
			scanners: 'count-out',
			confirmed: { gates: 1, of: 2 }
		}
	});
}

export const previewAnswer: PreviewAnswer = {
	readings: [
		{
			kind: 'delta',
			channel: 'line-1',
			in: 7,
			out: 2,
			value: null,
			from: Date.now() - 62_000,
			at: Date.now() - 2_000,
			clock: 'device',
			key: null,
			sequence: 412,
			modulus: null,
			historical: false,
			doubtful: false,
			simulated: false,
			counters: ['plaza-5-c1']
		},
		{
			kind: 'present',
			channel: null,
			in: null,
			out: null,
			value: 40,
			from: null,
			at: null,
			clock: 'none',
			key: 'a1:77',
			sequence: null,
			modulus: 65_536,
			historical: true,
			doubtful: true,
			simulated: false,
			counters: []
		}
	],
	signs: [{ kind: 'trouble', channel: null, trouble: 'occluded' }],
	refused: [{ reason: 'implausible' }],
	ignored: false,
	droppedKeys: ['face_id', 'snapshot', 'mac'],
	hint: { ar: 'السطر 3: التعليق ليس JSON', en: 'line 3: a comment is not JSON' }
};
