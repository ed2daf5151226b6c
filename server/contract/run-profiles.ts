import { Type, type Static } from 'typebox';
import { NumberOrNull, type LocalText } from './quality.ts';

/** The five phases of every run, in order. k6/spike.js has the same names. */
export const runPhases = ['baseline', 'ramp', 'hold', 'drop', 'recovery'] as const;
export type RunPhaseName = (typeof runPhases)[number];

/** What a run rehearses; the letters are those of the written plan. */
export const runProfiles = [
	'opening-second',
	'five-stages',
	'pre-queue',
	'returners',
	'reconnect-storm',
	'bots',
	'slow-dependency',
	'level-drill',
	'connection-ceiling',
	'last-season'
] as const;
export type RunProfile = (typeof runProfiles)[number];

/** No run may ask for more, whoever starts it. */
export const runBounds = {
	perSecondMax: 5_000,
	phaseSecondsMax: 3_600,
	secondsMax: 7_200,
	peopleMax: 500_000,
	curvePointsMax: 500,
	botsPerPersonMax: 20,
	socketsMax: 20_000
} as const;

const PerSecond = Type.Number({ minimum: 0, maximum: runBounds.perSecondMax });
const Seconds = Type.Number({ minimum: 0, maximum: runBounds.phaseSecondsMax });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const orNothing = (type: ReturnType<typeof Type.Number>) => Type.Union([type, Type.Null()]);

/** What is asked of one run. Rates are first arrivals a second, times the server's seconds. */
export const RunParameters = Type.Object(
	{
		basePerSecond: PerSecond,
		peakPerSecond: PerSecond,
		baselineSeconds: Seconds,
		rampSeconds: Seconds,
		holdSeconds: Seconds,
		dropSeconds: Seconds,
		recoverySeconds: Seconds,
		/** Arrivals by chance (Poisson), or evenly spaced. Neither ever waits for an answer. */
		spacing: Type.Enum(['poisson', 'even']),
		/** Share that loses the network for two minutes and comes back. */
		returnShare: Share,
		/** Share that comes back without backing off, whatever it is told. */
		withoutBackOff: Share,
		botsPerPerson: Type.Number({ minimum: 0, maximum: runBounds.botsPerPersonMax }),
		/** Screens whose connections are all cut when the hold begins. */
		sockets: Type.Integer({ minimum: 0, maximum: runBounds.socketsMax }),
		/** Demo and laboratory: the identity check takes so long during the hold; null: as it is. */
		dependencyDelayMs: orNothing(Type.Number({ minimum: 0, maximum: 60_000 })),
		/** Demo and laboratory: each booking leaves a confirmation, and so many a second are sent; null: none are. */
		confirmationsPerSecond: orNothing(Type.Number({ minimum: 0.1, maximum: runBounds.perSecondMax })),
		/** Instances that will stand on the day: with their pools they must fit into the database. Null: those now. */
		plannedInstances: Type.Union([Type.Integer({ minimum: 1, maximum: 200 }), Type.Null()]),
		/** Last season's curve: arrivals a second, evenly placed over the hold; empty: a flat hold. */
		curve: Type.Array(PerSecond, { maxItems: runBounds.curvePointsMax })
	},
	{ additionalProperties: false }
);
export type RunParameters = Static<typeof RunParameters>;

/** One phase of a plan: a straight line from one rate to the next. */
export interface RunPhase {
	name: RunPhaseName;
	seconds: number;
	from: number;
	to: number;
}

const plain: RunParameters = {
	...{ basePerSecond: 5, peakPerSecond: 30, spacing: 'poisson' },
	...{ baselineSeconds: 300, rampSeconds: 30, holdSeconds: 120, dropSeconds: 30, recoverySeconds: 600 },
	...{ returnShare: 0, withoutBackOff: 0, botsPerPerson: 0, sockets: 0 },
	...{ dependencyDelayMs: null, confirmationsPerSecond: null, plannedInstances: null, curve: [] }
};

/** What each profile is, and what it asks for unless told otherwise. */
export const profileFacts: Readonly<
	Record<RunProfile, { letter: string; names: LocalText; defaults: RunParameters }>
> = {
	'opening-second': {
		letter: 'A',
		names: { ar: 'ثانية الافتتاح', en: 'The opening second' },
		defaults: {
			...{ ...plain, basePerSecond: 0, peakPerSecond: 2_000, baselineSeconds: 10 },
			...{ rampSeconds: 0, holdSeconds: 1, dropSeconds: 0, recoverySeconds: 120 }
		}
	},
	'five-stages': { letter: 'B', names: { ar: 'المراحل الخمس', en: 'The five stages' }, defaults: plain },
	'pre-queue': {
		letter: 'C',
		names: { ar: 'من الطابور المسبق إلى الافتتاح', en: 'From the pre-queue to the opening' },
		defaults: { ...plain, baselineSeconds: 120, rampSeconds: 10, holdSeconds: 60, recoverySeconds: 300 }
	},
	returners: {
		letter: 'D',
		names: { ar: 'العائدون بعد الانقطاع', en: 'Returners' },
		defaults: { ...plain, baselineSeconds: 60, returnShare: 0.1, withoutBackOff: 0.5 }
	},
	'reconnect-storm': {
		letter: 'E',
		names: { ar: 'عاصفة إعادة الاتصال', en: 'Reconnect storm' },
		defaults: { ...plain, baselineSeconds: 60, peakPerSecond: 5, sockets: 1_000, recoverySeconds: 180 }
	},
	bots: {
		letter: 'F',
		names: { ar: 'برامج آلية تسعة أضعاف', en: 'Nine times as many bots' },
		defaults: { ...plain, baselineSeconds: 60, peakPerSecond: 10, botsPerPerson: 9, recoverySeconds: 180 }
	},
	'slow-dependency': {
		letter: 'G',
		names: { ar: 'خدمة خارجية بطيئة', en: 'A slow dependency' },
		defaults: { ...plain, baselineSeconds: 60, dependencyDelayMs: 500, recoverySeconds: 300 }
	},
	'level-drill': {
		letter: 'H',
		names: { ar: 'تمرين المستويات تحت الحمل', en: 'Level drill under load' },
		defaults: { ...plain, baselineSeconds: 60, peakPerSecond: 15, holdSeconds: 900, recoverySeconds: 180 }
	},
	'connection-ceiling': {
		letter: 'I',
		names: { ar: 'سقف اتصالات قاعدة البيانات', en: 'Database connection ceiling' },
		defaults: { ...plain, baselineSeconds: 60, plannedInstances: 8, recoverySeconds: 180 }
	},
	'last-season': {
		letter: 'S',
		names: { ar: 'منحنى الموسم الماضي', en: "Last season's curve" },
		defaults: { ...plain, holdSeconds: 600, curve: [5, 30, 60, 45, 30, 20, 10, 5] }
	}
};

/** The plan of a run: arrivals in straight lines. The hold follows the curve where there is one. Pure. */
export function phasesOf(given: RunParameters): RunPhase[] {
	const { basePerSecond: base, peakPerSecond: peak, curve } = given;
	const first = curve[0] ?? peak;
	const last = curve.at(-1) ?? peak;
	const line = (name: RunPhaseName, seconds: number, from: number, to: number) => ({
		name,
		seconds,
		from,
		to
	});
	const pieces = Math.max(1, curve.length - 1);
	const hold = Array.from({ length: pieces }, (_, i) =>
		line('hold', given.holdSeconds / pieces, curve[i] ?? peak, curve[i + 1] ?? curve[i] ?? peak)
	);
	return [
		line('baseline', given.baselineSeconds, base, base),
		line('ramp', given.rampSeconds, base, first),
		...hold,
		line('drop', given.dropSeconds, last, base),
		line('recovery', given.recoverySeconds, base, base)
	].filter(({ seconds }) => seconds > 0);
}

/** When each phase begins and ends, seconds from the start. */
export function phaseSpans(given: RunParameters): Record<RunPhaseName, { from: number; to: number }> {
	let at = 0;
	const lengths: Record<RunPhaseName, number> = {
		...{ baseline: given.baselineSeconds, ramp: given.rampSeconds, hold: given.holdSeconds },
		...{ drop: given.dropSeconds, recovery: given.recoverySeconds }
	};
	const spans = runPhases.map((name) => [name, { from: at, to: (at += lengths[name]) }] as const);
	return Object.fromEntries(spans) as Record<RunPhaseName, { from: number; to: number }>;
}

/** People that a plan lets arrive (bots not among them), and how long it is. */
export function sizeOf(given: RunParameters): { people: number; seconds: number; peakPerSecond: number } {
	const phases = phasesOf(given);
	return {
		people: Math.round(phases.reduce((sum, { seconds, from, to }) => sum + (seconds * (from + to)) / 2, 0)),
		seconds: phases.reduce((sum, { seconds }) => sum + seconds, 0),
		peakPerSecond: Math.max(0, ...phases.flatMap(({ from, to }) => [from, to]))
	};
}

/** One written rule: a run passes when each of them holds. Ids are stable; screens have their words. */
export const runRules = [
	'booking-p95',
	'faults',
	'unanswered',
	'booked-twice',
	'oversold',
	'refused-without-word',
	'inversions',
	'bots-through',
	'recovery',
	'kill-line',
	'connections',
	'screens-back'
] as const;
export type RunRule = (typeof runRules)[number];

export const RuleResult = Type.Object({
	rule: Type.Enum(runRules),
	/** What is allowed: at most, or at least so much. */
	bound: Type.Enum(['at-most', 'at-least']),
	limit: Type.Number(),
	/** Null: nobody knows, and then the rule does not hold. */
	value: NumberOrNull,
	/** How far from the limit on the good side, as a share of it (or as it is where the limit is 0); below 0: beyond it. */
	margin: NumberOrNull,
	holds: Type.Boolean()
});
export type RuleResult = Static<typeof RuleResult>;

/** What makes a run worth reading. One that fails: the run says nothing about the server. */
export const validityChecks = [
	'offered',
	'generator-cpu',
	'generator-delay',
	'clock',
	'build',
	'level',
	'seconds',
	'uninterrupted'
] as const;
export const ValidityCheck = Type.Object({
	check: Type.Enum(validityChecks),
	limit: NumberOrNull,
	value: NumberOrNull,
	holds: Type.Boolean()
});
export type ValidityCheck = Static<typeof ValidityCheck>;
