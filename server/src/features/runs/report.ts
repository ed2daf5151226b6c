import type {
	GeneratorSecond,
	Narrowest,
	RunEnd,
	RunParameters,
	RunProfile,
	RunReport,
	RunVerdict
} from '../../../contract/index.ts';
import { findNarrowest, growthOf, provenOf, readRecovery, waitMost, backlogsOf } from './backlogs.ts';
import { marksOf } from './marks.ts';
import { rowsOf, seriesOf } from './rows.ts';
import { rulesOf, validityOf, verdictOf } from './rules.ts';
import { mostOf, type RunSecond } from './run-seconds.ts';
import { switchesOf } from './switches.ts';

/** All that is known of a run when it is over. */
export interface ReportInput {
	kind: 'load' | 'model';
	profile: RunProfile;
	parameters: RunParameters;
	seconds: readonly RunSecond[];
	/** The generator's last word; null: it never came. */
	end: Omit<RunEnd, 'seconds'> | null;
	/** It began and ended on the same code, schema and configuration. */
	sameBuild: boolean;
	interrupted: boolean;
	stopped: boolean;
	/** Places sold beyond what slots hold, as the server itself counts them; null: nobody knows. */
	oversold: number | null;
	/** Connections that the database accepts; null: nobody knows. */
	databaseMax: number | null;
}

/** The report, and what the list and readiness need of it. */
export interface BuiltReport {
	report: RunReport;
	verdict: RunVerdict;
	narrowest: Narrowest | null;
	provenPerSecond: number | null;
	invalidBy: string | null;
	broken: string[];
}

/** Puts everything together; pure, and the same for a run of people and for one of the model. */
export function buildReport(input: ReportInput): BuiltReport {
	const { kind, profile, parameters, seconds, end } = input;
	const recovery = readRecovery(seconds, parameters);
	const narrowest = findNarrowest(seconds, parameters);
	const marks = marksOf(seconds, parameters, recovery);
	const dropAt = marks.find(({ mark }) => mark === 'load-drops')?.second ?? 0;
	const recoverySeconds = recovery.recovered === null ? null : Math.round(recovery.recovered - dropAt);
	const stored = seconds.filter(({ server }) => server !== null).length;
	const facts = {
		refusals: end?.refusals ?? {},
		faults: end?.faults ?? {},
		people: end?.people ?? nobodyKnows,
		oversold: input.oversold,
		...{ marks, recoverySeconds },
		connections: connectionsOf(seconds, parameters, input.databaseMax),
		generator: end?.generator ?? null,
		sockets: end?.sockets ?? null
	};
	const validity = validityOf({
		...{ kind, profile, seconds, generator: facts.generator, stored, expected: seconds.length },
		...{ sameBuild: input.sameBuild, interrupted: input.interrupted }
	});
	const rules = rulesOf({ kind, profile, parameters, seconds, report: facts });
	const verdict = verdictOf({ ...input, validity, rules });
	const isJudged = verdict === 'passed' || verdict === 'failed';
	return {
		report: {
			...{ validity, rules },
			...rowsOf(seconds, parameters),
			series: seriesOf(seconds),
			...facts,
			backlog: backlogFigures(seconds, parameters),
			queues: queuesOf(seconds),
			switches: switchesOf(seconds),
			...{ secondsStored: stored, secondsOfRun: seconds.length }
		},
		verdict,
		narrowest,
		// What says nothing proves nothing, however much went through.
		provenPerSecond: isJudged ? provenOf(seconds, narrowest) : null,
		invalidBy: validity.find(({ holds }) => !holds)?.check ?? null,
		broken: rules.filter(({ holds }) => !holds).map(({ rule }) => rule)
	};
}

const nobodyKnows: RunReport['people'] = {
	...{ endings: {}, bookedTwice: null, inversions: null, withoutWord: null, botsThrough: null },
	...{ waits: null, told: null }
};

function backlogFigures(seconds: readonly RunSecond[], parameters: RunParameters): RunReport['backlog'] {
	const [room, work] = backlogsOf(seconds);
	const together = room?.depths.map((waiting, index) => {
		const inHand = work?.depths[index] ?? null;
		return waiting === null || inHand === null ? null : waiting + inHand;
	});
	const most = mostOf(together ?? []);
	return {
		growthPerSecond: growthOf(seconds, parameters),
		most: most === null ? null : Math.round(most),
		waitSecondsMost: waitMost(seconds)
	};
}

function queuesOf(seconds: readonly RunSecond[]): RunReport['queues'] {
	return backlogsOf(seconds)
		.filter(({ part }) => part === 'queue')
		.map(({ id, depths }) => {
			const own = seconds.map(({ server }) => server?.queues.find(({ name }) => name === id));
			const last = depths.findLastIndex((depth) => depth === null || depth > 0.5) + 1;
			return {
				...{ name: id, most: Math.round(mostOf(depths) ?? 0) },
				oldestSecondsMost: mostOf(own.map((queue) => queue?.oldestSeconds)),
				drainPerSecondMost: Math.round((mostOf(own.map((queue) => queue?.drainPerSecond)) ?? 0) * 10) / 10,
				emptyAtSecond: last >= seconds.length ? null : last + 1
			};
		});
}

function connectionsOf(
	seconds: readonly RunSecond[],
	{ plannedInstances }: RunParameters,
	databaseMax: number | null
): RunReport['connections'] {
	return {
		instances: mostOf(seconds.map(({ server }) => server?.instances)),
		planned: plannedInstances,
		poolSize: mostOf(seconds.map(({ server }) => server?.poolSize)),
		databaseMax
	};
}

/** Seconds as they are told in pieces: the newest word for each stands. */
export function mergeTold(
	before: readonly GeneratorSecond[],
	more: readonly GeneratorSecond[]
): GeneratorSecond[] {
	const all = new Map([...before, ...more].map((second) => [second.second, second]));
	return [...all.values()].sort((a, b) => a.second - b.second);
}
