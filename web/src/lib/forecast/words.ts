import type { ForecastAccuracy, KeptForecast, RoomOutlook } from '@marsad/server/contract';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';

/** When the room is empty, or how many still wait at the end of what is foreseen. */
export function sayOutlook(outlook: RoomOutlook, endsAt: number, format: Format): string {
	return outlook.emptiesAt === null
		? m.fc_not_empty({
				time: isolate(format.time(endsAt)),
				people: isolate(format.count(outlook.waitingAtEnd))
			})
		: m.fc_empties({ time: isolate(format.time(outlook.emptiesAt)) });
}

/** How right the last forecasts were; that none was judged is said, too. */
export function sayAccuracy(accuracy: ForecastAccuracy, format: Format): string {
	const { judged, waitingError, waitingShare } = accuracy;
	if (judged === 0 || waitingError === null) return m.fc_accuracy_none();
	const count = isolate(format.count(judged));
	const people = isolate(format.count(waitingError));
	return waitingShare === null
		? m.fc_accuracy_people({ count, people })
		: m.fc_accuracy({ count, people, share: isolate(format.percent(waitingShare)) });
}

/** How one forecast went. */
export function sayKept(kept: KeptForecast, format: Format): string {
	if (kept.judgedAt === null) return m.fc_kept_open({ time: isolate(format.time(kept.until)) });
	if (kept.waitingError === null) return m.fc_kept_void();
	const people = isolate(format.count(kept.waitingError));
	const off =
		kept.waitingShare === null
			? m.fc_kept_off_people({ people })
			: m.fc_kept_off({ people, share: isolate(format.percent(kept.waitingShare)) });
	if (kept.waitingBias === null || Math.abs(kept.waitingBias) < 1) return off;
	return `${off} ${kept.waitingBias > 0 ? m.fc_bias_more() : m.fc_bias_less()}`;
}
