import type { RunReport } from '../../../contract/index.ts';
import { latencyOf } from './rows.ts';
import { meanOf, type RunSecond, type ServerSecond } from './run-seconds.ts';

/** So long before a switch it is compared with; and so long after it its figures are still those of before. */
const beforeSeconds = 30;
const settleSeconds = 5;

/** What each switch of the level did: means of the time before it, and of the time for which it held. */
export function switchesOf(seconds: readonly RunSecond[]): RunReport['switches'] {
	const known = seconds.filter(({ server }) => server !== null);
	const switches: { index: number; from: number; to: number }[] = [];
	known.forEach(({ server }, index) => {
		const from = known[index - 1]?.server?.level;
		if (from !== undefined && server!.level !== from) switches.push({ index, from, to: server!.level });
	});
	return switches.map(({ index, from, to }, place) => {
		const end = switches[place + 1]?.index ?? known.length;
		const start = Math.min(end - 1, index + settleSeconds);
		const last = switches[place - 1]?.index ?? 0;
		return {
			...{ second: known[index]!.second, from, to },
			figures: compare(known.slice(Math.max(last, index - beforeSeconds), index), known.slice(start, end))
		};
	});
}

function compare(before: readonly RunSecond[], during: readonly RunSecond[]) {
	const figure = (name: string, of: (server: ServerSecond) => number | null) => {
		const mean = (part: readonly RunSecond[]) =>
			rounded(meanOf(part.map(({ server }) => server && of(server))));
		return { name, before: mean(before), during: mean(during) };
	};
	return [
		figure('admittedPerSecond', ({ admitted }) => admitted),
		figure('servedPerSecond', ({ served }) => served),
		{ name: 'p95Ms', before: latencyOf(before).p95Ms, during: latencyOf(during).p95Ms },
		figure('depth', ({ waiting }) => waiting),
		figure('refusedPerSecond', ({ refused }) => refused),
		figure('poolInUse', ({ poolInUse }) => poolInUse)
	];
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);
