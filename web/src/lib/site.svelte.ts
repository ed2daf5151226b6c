import { announcedMonths, createHijriCalendar, SitePlan, type LocalText } from '@marsad/server/contract';
import { request } from '#lib/api.ts';
import { createFormat } from '#lib/format.ts';
import { feed } from '#lib/live/feed.svelte.ts';
import { settings } from '#lib/settings.svelte.ts';

/** The site as drawn, and the formatters of its time zone and the screen's language. */
class Site {
	plan = $state.raw<SitePlan | null>(null);
	failed = $state(false);
	readonly timeZone = $derived(
		feed.bar?.timeZone ?? this.plan?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
	);
	/** The Hijri calendar in force here: months as they were announced. */
	readonly calendar = $derived(createHijriCalendar(announcedMonths(feed.season?.sightings ?? [])));
	readonly format = $derived(createFormat(settings.locale, this.timeZone, this.calendar));

	async load(): Promise<void> {
		const answer = await request('/api/v1/site', SitePlan);
		this.failed = answer.kind !== 'ok';
		if (answer.kind === 'ok') this.plan = answer.body;
	}
}

export const site = new Site();

/** A text of the site or level file in the language of the screen. */
export function local(text: LocalText): string {
	return text[settings.locale];
}
