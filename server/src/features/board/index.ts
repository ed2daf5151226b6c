import type { LocalText, Mark } from '../../../contract/index.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { buildBar } from './bar.ts';

/** What the thin bar reads from the features below. */
export interface BoardSources {
	level(): { level: number; name: LocalText; exercise: boolean };
	/** When the newest figures and the oldest zone on the wall were true (epoch ms). */
	figuresAt(): number;
	crowdAt(): number;
	onLevelSwitch(listener: () => void): () => void;
}

/** Read models that belong to no single feature: the thin bar of every screen. */
export function createBoard(deps: {
	hub: Hub;
	clock: Clock;
	sources: BoardSources;
	mark: Mark;
	build: string;
	site: { name: LocalText; timeZone: string };
}): Feature {
	const { sources } = deps;
	const overview = deps.hub.topic('overview');
	const stops: StopTimer[] = [];
	const show = () =>
		overview.set(
			'bar',
			buildBar({
				level: sources.level(),
				figuresAt: sources.figuresAt(),
				crowdAt: sources.crowdAt(),
				mark: deps.mark,
				build: deps.build,
				site: deps.site
			})
		);
	return {
		name: 'board',
		async start() {
			show();
			stops.push(deps.clock.setInterval(show, 1_000), sources.onLevelSwitch(show));
		},
		async stop() {
			for (const stop of stops) stop();
		}
	};
}
