import { chartEvents } from '#lib/charts/events.ts';
import { isolate } from '#lib/format.ts';
import { feed } from '#lib/live/feed.svelte.ts';
import { m } from '#lib/paraglide/messages.js';
import { site } from '#lib/site.svelte.ts';

/** The same marks on every chart: levels, grave alarms, deploys. */
export function chartMarks(): { at: number; label: string }[] {
	return chartEvents({
		levels: feed.levels?.history ?? [],
		alarms: feed.alarms,
		deploys: feed.spike?.deploys ?? []
	}).map(({ at, kind, what }) => ({
		at,
		label:
			kind === 'level'
				? m.queue_level_mark({ level: isolate(what) })
				: kind === 'alarm'
					? m.cht_mark_alarm()
					: m.cht_mark_deploy()
	}));
}

/** One is named; of several that stand together it is said how many: the list beside the charts names them. */
export function sayChartMarks(marks: readonly { label: string }[]): string {
	return marks.length === 1 ? marks[0]!.label : m.cht_marks({ n: site.format.count(marks.length) });
}
