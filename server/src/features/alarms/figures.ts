import type { AlarmFigures, Mark } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Scope } from './alarm-store.ts';
import { readFigures } from './figures-store.ts';
import type { Shown } from './show.ts';

const slotMs = 600_000;

/** How well the alarms serve those who answer them: the targets of ISA-18.2 and IEC 62682 are about these figures. */
export async function makeFigures(options: {
	db: Db;
	scope: Scope;
	now: number;
	mark: Mark;
	shown: Shown;
}): Promise<AlarmFigures> {
	const { now, shown } = options;
	const from = now - limits.alarms.figuresHours * 3_600_000;
	const read = await readFigures(options.db, options.scope, from, now);
	const annunciations = read.rings.reduce((sum, ring) => sum + ring.annunciations, 0);
	const bySlot = new Map(read.rings.map((ring) => [ring.startsAt, ring.annunciations]));
	const first = Math.ceil(from / slotMs);
	const slots = Array.from({ length: Math.floor(now / slotMs) - first + 1 }, (_, index) => {
		const startsAt = (first + index) * slotMs;
		return { startsAt, annunciations: bySlot.get(startsAt) ?? 0 };
	});
	const count = (priority: 'critical' | 'high' | 'medium' | 'low') => read.mix.get(priority) ?? 0;
	const { summary, alarms } = shown;
	return {
		...{ from, at: now, perTenMinutes: slots, annunciations, floodMinutes: read.floodMinutes },
		topTen: read.top.map(({ definition, kind, id, names, title, count: rang }) => ({
			...{ definition, title, annunciations: rang },
			subject: { kind: kind as AlarmFigures['topTen'][number]['subject']['kind'], id, names },
			share: annunciations === 0 ? 0 : Math.round((rang / annunciations) * 1_000) / 1_000
		})),
		chattering: alarms.filter(({ chattering }) => chattering).map(({ id }) => id),
		stale: alarms.filter(({ stale }) => stale).map(({ id }) => id),
		meanSecondsToAcknowledge: read.meanSecondsToAcknowledge,
		meanSecondsToConfirm: read.meanSecondsToConfirm,
		mix: { critical: count('critical'), high: count('high'), medium: count('medium'), low: count('low') },
		...{ shelvedNow: summary.shelved, suppressedNow: summary.suppressed },
		...{ outOfServiceNow: summary.outOfService, quality: 'live', mark: options.mark }
	};
}
