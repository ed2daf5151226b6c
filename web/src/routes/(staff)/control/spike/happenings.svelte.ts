import { AlarmsAnswer, type Alarm } from '@marsad/server/contract';
import { chartEvents } from '#lib/charts/events.ts';
import { isolate } from '#lib/format.ts';
import { feed } from '#lib/live/feed.svelte.ts';
import { m } from '#lib/paraglide/messages.js';
import { Polled } from '#lib/polled.svelte.ts';
import { site } from '#lib/site.svelte.ts';

/** Levels, grave alarms and builds: gathered once for every chart of the screen and for the list beside them. */
class Happenings {
	/** Alarms that are over are on no live topic, and bent lines all the same. */
	readonly past = new Polled('/api/v1/alarms?list=history&limit=100', AlarmsAnswer, () => 30_000);
	readonly alarms = $derived(
		new Map<string, Alarm>(
			[...(this.past.body?.alarms ?? []), ...feed.alarms].map((alarm) => [alarm.id, alarm])
		)
	);
	readonly events = $derived(
		chartEvents({
			levels: feed.levels?.history ?? [],
			alarms: [...this.alarms.values()],
			deploys: feed.spike?.deploys ?? []
		})
	);
	/** The same with their short names, for the charts. */
	readonly marks = $derived(
		this.events.map(({ at, kind, what }) => ({
			at,
			label:
				kind === 'level'
					? m.queue_level_mark({ level: isolate(what) })
					: kind === 'alarm'
						? m.cht_mark_alarm()
						: m.cht_mark_deploy()
		}))
	);
}
export const happenings = new Happenings();

/** One is named; of several that stand together it is said how many: the list beside the charts names them. */
export function sayMarks(marks: readonly { label: string }[]): string {
	return marks.length === 1 ? marks[0]!.label : m.cht_marks({ n: site.format.count(marks.length) });
}
