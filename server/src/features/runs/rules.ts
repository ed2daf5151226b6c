import {
	phaseSpans,
	type GeneratorLoad,
	type RuleResult,
	type RunParameters,
	type RunProfile,
	type RunReport,
	type RunRule,
	type RunVerdict,
	type ValidityCheck
} from '../../../contract/index.ts';
import { latencyOf } from './rows.ts';
import { mostOf, type RunSecond } from './run-seconds.ts';

/** The written rules. Changing one is a decision: docs/adr/0028. */
export const ruleLimits = {
	bookingP95Ms: 2_000,
	/** Served ÷ offered behind the room over a minute: the kill line. */
	workRatioMin: 0.6,
	/** Of the largest part of an opening that may be handshakes of one second. */
	handshakeShare: 0.1,
	shortfallMax: 0.005,
	generatorCpuMax: 0.9,
	generatorDelayMsMax: 500,
	clockOffMsMax: 1_000,
	secondsMin: 0.98
} as const;

/** Fewer seconds of work have no ratio worth the name. */
const ratioSeconds = 60;
const ratioOfferedMin = 20;

/** What the rules are held against. */
export interface RuleInput {
	kind: 'load' | 'model';
	profile: RunProfile;
	parameters: RunParameters;
	seconds: readonly RunSecond[];
	report: Pick<RunReport, 'people' | 'oversold' | 'recoverySeconds' | 'connections' | 'sockets' | 'faults'>;
}

/** Each written rule with its limit, its value and how far it was from it. What nobody knows does not hold. */
export function rulesOf(input: RuleInput): RuleResult[] {
	const { parameters, seconds, report, kind, profile } = input;
	const { people, connections, sockets } = report;
	const told = (of: (second: NonNullable<RunSecond['generator']>) => number) => {
		const known = seconds.flatMap(({ generator }) => generator ?? []);
		return known.length === 0 ? null : known.reduce((sum, second) => sum + of(second), 0);
	};
	const always = [
		judge('booking-p95', 'at-most', ruleLimits.bookingP95Ms, worstP95(seconds)),
		judge('recovery', 'at-most', recoveryLimit(parameters), report.recoverySeconds),
		judge('kill-line', 'at-least', ruleLimits.workRatioMin, leastRatio(seconds))
	];
	if (kind === 'model') return always;
	const load = [
		judge(
			'faults',
			'at-most',
			0,
			told(({ faults, timeout504 }) => faults + timeout504)
		),
		judge(
			'unanswered',
			'at-most',
			0,
			told(({ unanswered }) => unanswered)
		),
		judge('booked-twice', 'at-most', 0, people.bookedTwice),
		judge('oversold', 'at-most', 0, report.oversold),
		judge('refused-without-word', 'at-most', 0, people.withoutWord),
		judge('inversions', 'at-most', 0, people.inversions)
	];
	const ofProfile: RuleResult[] = [];
	if (parameters.botsPerPerson > 0) ofProfile.push(judge('bots-through', 'at-most', 0, people.botsThrough));
	if (parameters.sockets > 0)
		ofProfile.push(judge('screens-back', 'at-least', parameters.sockets, sockets?.back ?? null));
	if (profile === 'connection-ceiling' || parameters.plannedInstances !== null)
		ofProfile.push(connectionRule(connections));
	return [...load, ...always, ...ofProfile];
}

/** The pools of all instances of the day must fit into what the database accepts. */
function connectionRule({ planned, instances, poolSize, databaseMax }: RunReport['connections']): RuleResult {
	const count = planned ?? instances;
	const own =
		count === null || poolSize === null || instances === null ? null : poolSize / Math.max(1, instances);
	const needed = own === null || count === null ? null : Math.round(own * count);
	return judge('connections', 'at-most', databaseMax ?? 0, databaseMax === null ? null : needed);
}

/** The recovery phase is the time that a run gives; it is what must suffice. */
function recoveryLimit(parameters: RunParameters): number {
	const { drop, recovery } = phaseSpans(parameters);
	return Math.round(recovery.to - drop.from);
}

function judge(rule: RunRule, bound: RuleResult['bound'], limit: number, value: number | null): RuleResult {
	if (value === null) return { rule, bound, limit, value, margin: null, holds: false };
	const distance = bound === 'at-most' ? limit - value : value - limit;
	const margin = Math.round((limit === 0 ? distance : distance / limit) * 1_000) / 1_000;
	return { rule, bound, limit, value, margin, holds: distance >= 0 };
}

/** The worst 95th percentile over any ten seconds: a minute would hide it. */
function worstP95(seconds: readonly RunSecond[]): number | null {
	const parts = Array.from({ length: Math.ceil(seconds.length / 10) }, (_, i) =>
		seconds.slice(i * 10, i * 10 + 10)
	);
	return mostOf(parts.map((part) => latencyOf(part).p95Ms));
}

function leastRatio(seconds: readonly RunSecond[]): number | null {
	let least: number | null = null;
	const length = Math.min(ratioSeconds, seconds.length);
	for (let last = length; last <= seconds.length; last++) {
		const window = seconds.slice(last - length, last).flatMap(({ server }) => server ?? []);
		const offered = window.reduce((sum, one) => sum + one.offered, 0);
		const served = window.reduce((sum, one) => sum + one.served, 0);
		if (offered < ratioOfferedMin) continue;
		least = Math.min(least ?? Infinity, Math.round((served / offered) * 100) / 100);
	}
	return least;
}

/** What makes the figures worth reading, in the order in which it is told. */
export function validityOf(input: {
	kind: 'load' | 'model';
	profile: RunProfile;
	seconds: readonly RunSecond[];
	generator: GeneratorLoad | null;
	sameBuild: boolean;
	interrupted: boolean;
	stored: number;
	expected: number;
}): ValidityCheck[] {
	const { generator, seconds, profile } = input;
	const check = (
		name: ValidityCheck['check'],
		limit: number | null,
		value: number | null,
		holds: boolean
	) => ({
		...{ check: name, limit, value, holds }
	});
	const uninterrupted = check('uninterrupted', null, input.interrupted ? 0 : 1, !input.interrupted);
	if (input.kind === 'model') return [uninterrupted];
	const atMost = (name: ValidityCheck['check'], limit: number, value: number | null) =>
		check(name, limit, value, value !== null && value <= limit);
	const levels = new Set(seconds.flatMap(({ server }) => (server ? [server.level] : [])));
	const share = input.expected === 0 ? 0 : Math.round((input.stored / input.expected) * 1_000) / 1_000;
	return [
		atMost('offered', ruleLimits.shortfallMax, generator && shortfallOf(generator)),
		atMost('generator-cpu', ruleLimits.generatorCpuMax, generator && generator.cpuShare),
		atMost('generator-delay', ruleLimits.generatorDelayMsMax, generator && generator.loopDelayP99Ms),
		atMost(
			'clock',
			ruleLimits.clockOffMsMax,
			generator?.clockOffMs == null ? null : Math.abs(generator.clockOffMs)
		),
		check('build', null, input.sameBuild ? 1 : 0, input.sameBuild),
		// The level may only move where moving it is what is tried.
		check('level', 1, levels.size, levels.size === 1 || (profile === 'level-drill' && levels.size > 0)),
		check('seconds', ruleLimits.secondsMin, share, share >= ruleLimits.secondsMin),
		uninterrupted
	];
}

/** The share of what was asked for that the generator did not offer, or offered late. */
export function shortfallOf({ offered, notStarted, startedLate, notSent }: GeneratorLoad): number {
	const missing = notStarted + startedLate + notSent;
	return Math.round((missing / Math.max(1, offered)) * 10_000) / 10_000;
}

/** Validity first: whatever the rules say, figures that mean nothing are not green. */
export function verdictOf(input: {
	interrupted: boolean;
	stopped: boolean;
	validity: readonly ValidityCheck[];
	rules: readonly RuleResult[];
}): RunVerdict {
	if (input.interrupted) return 'interrupted';
	if (input.stopped) return 'stopped';
	if (input.validity.some(({ holds }) => !holds)) return 'invalid';
	return input.rules.every(({ holds }) => holds) ? 'passed' : 'failed';
}
