import type { RunReport, RunSummary } from '@marsad/server/contract';

/**
 * How a verdict looks. Only `passed` is green in meaning and only `failed` is an alarm; a run that says nothing is
 * neither: dashed, like everything unknown.
 */
export type VerdictLook = { shape: string; look: 'good' | 'bad' | 'nothing' | 'open' };

export function verdictLook({ verdict, state }: Pick<RunSummary, 'verdict' | 'state'>): VerdictLook {
	if (verdict === 'passed') return { shape: '✓', look: 'good' };
	if (verdict === 'failed') return { shape: '▲', look: 'bad' };
	if (verdict !== null) return { shape: '◇', look: 'nothing' };
	return state === 'withdrawn' || state === 'expired'
		? { shape: '–', look: 'nothing' }
		: { shape: '…', look: 'open' };
}

/** The stable name of what a run has come to: its verdict, or how far it is. */
export const standingOf = ({ verdict, state }: Pick<RunSummary, 'verdict' | 'state'>): string =>
	verdict ?? state;

/** What a run is no evidence for any more. */
export function strangeTo(
	run: Pick<RunSummary, 'build' | 'config' | 'schema'>,
	now: { build: string; config: string; schema: string }
): ('build' | 'config' | 'schema')[] {
	return (['build', 'config', 'schema'] as const).filter((name) => run[name] !== now[name]);
}

/** One figure of two runs. `better`: this run against the one before; null: neither, or nobody knows. */
export interface Difference {
	figure: string;
	before: number | null;
	now: number | null;
	unit: 'share' | 'ms' | 'seconds' | 'people' | 'rate' | 'count' | 'ratio';
	better: boolean | null;
}

interface Reading {
	run: Pick<RunSummary, 'provenPerSecond'>;
	report: RunReport;
}

const sum = (counts: Readonly<Record<string, number>>) =>
	Object.values(counts).reduce((total, one) => total + one, 0);

/** What is compared, in the order in which it matters, and which way is good. */
const figures: readonly {
	figure: string;
	unit: Difference['unit'];
	good: 'less' | 'more' | null;
	of: (reading: Reading) => number | null;
}[] = [
	{ figure: 'p95', unit: 'ms', good: 'less', of: ({ report }) => ruleValue(report, 'booking-p95') },
	{ figure: 'work_ratio', unit: 'ratio', good: 'more', of: ({ report }) => ruleValue(report, 'kill-line') },
	{ figure: 'proven', unit: 'rate', good: 'more', of: ({ run }) => run.provenPerSecond },
	{ figure: 'recovery', unit: 'seconds', good: 'less', of: ({ report }) => report.recoverySeconds },
	{ figure: 'backlog', unit: 'people', good: 'less', of: ({ report }) => report.backlog.most },
	{ figure: 'wait', unit: 'seconds', good: 'less', of: ({ report }) => report.backlog.waitSecondsMost },
	{ figure: 'faults', unit: 'count', good: 'less', of: ({ report }) => sum(report.faults) },
	{ figure: 'refusals', unit: 'count', good: null, of: ({ report }) => sum(report.refusals) },
	{
		figure: 'booked',
		unit: 'people',
		good: null,
		of: ({ report }) => report.people.endings['booked'] ?? null
	}
];

function ruleValue(report: RunReport, rule: string): number | null {
	return report.rules.find((each) => each.rule === rule)?.value ?? null;
}

/** What has changed since the last run of the same profile. */
export function differences(now: Reading, before: Reading): Difference[] {
	return figures.map(({ figure, unit, good, of }) => {
		const [a, b] = [of(before), of(now)];
		const isJudged = good !== null && a !== null && b !== null && a !== b;
		return { figure, unit, before: a, now: b, better: isJudged ? (good === 'less' ? b < a : b > a) : null };
	});
}

/** Limits and values of rules and checks, each in its own unit. */
export function ruleUnit(rule: string): Difference['unit'] {
	if (rule === 'booking-p95' || rule === 'generator-delay' || rule === 'clock') return 'ms';
	if (rule === 'recovery') return 'seconds';
	// Half a per cent is a limit: two digits of a ratio would round it to one.
	if (rule === 'offered' || rule === 'generator-cpu' || rule === 'seconds') return 'share';
	if (rule === 'kill-line') return 'ratio';
	return 'count';
}
