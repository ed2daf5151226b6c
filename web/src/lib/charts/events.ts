import type { Alarm, Deploy, LevelsState } from '@marsad/server/contract';

/** What happened and may have bent a line: epoch ms, what kind, and what it was. */
export interface ChartEvent {
	at: number;
	kind: 'level' | 'alarm' | 'deploy';
	/** Level as a number, the alarm's id, the build. */
	what: string;
	exercise?: boolean;
}

/** Alarms of these priorities stand on every chart; the others would only fill it. */
const told: ReadonlySet<string> = new Set(['critical', 'high']);

/** Levels that were switched, grave alarms that were raised, builds that began to serve, in order of time. */
export function chartEvents(of: {
	levels: readonly Pick<LevelsState['history'][number], 'at' | 'level' | 'exercise'>[];
	alarms: readonly Pick<Alarm, 'id' | 'priority' | 'raisedAt'>[];
	deploys: readonly Deploy[];
}): ChartEvent[] {
	const events: ChartEvent[] = [
		...of.levels.map(({ at, level, exercise }) => ({
			...{ at, kind: 'level' as const, what: String(level) },
			...(exercise ? { exercise: true } : {})
		})),
		...of.alarms
			.filter(({ priority }) => told.has(priority))
			.map(({ id, raisedAt }) => ({ at: raisedAt, kind: 'alarm' as const, what: id })),
		...of.deploys.map(({ at, build }) => ({ at, kind: 'deploy' as const, what: build }))
	];
	return events.sort((a, b) => a.at - b.at);
}
