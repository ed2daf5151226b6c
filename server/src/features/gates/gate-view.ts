import {
	confirmWithinMs,
	holdWarningShares,
	type CrowdOutside,
	type Gate,
	type GateProperties,
	type Mark
} from '../../../contract/index.ts';
import { isConfirmed, reopenRate, rulesOf, type StoredGate } from './gate-decide.ts';

/** Screens get the time of a forecast in steps: it would change every second otherwise. */
const forecastStepMs = 15_000;

/** A gate as every screen sees it at this moment. Pure. */
export function viewGate(
	properties: GateProperties,
	stored: StoredGate,
	seen: { now: number; outside: CrowdOutside | null; evacuating: boolean; mark: Mark }
): Gate {
	const rules = rulesOf(properties);
	const { fullRatePerMinute } = rules;
	const { reopening, hold, confirmed } = stored;
	return {
		id: properties.id,
		names: properties.name,
		direction: properties.direction,
		zone: properties.zone,
		lanes: properties.lanes,
		fullRatePerMinute,
		version: stored.version,
		commanded: {
			state: stored.state,
			at: stored.at,
			by: stored.by,
			reason: stored.reason,
			ratePerMinute: stored.ratePerMinute,
			holdUntil: hold?.until ?? null
		},
		confirmed: confirmed && {
			state: confirmed.state,
			at: confirmed.at,
			by: confirmed.by,
			byRadio: confirmed.byRadio
		},
		difference: differenceOf(stored, seen.now),
		hold: hold && {
			...hold,
			secondsMax: rules.holdSecondsMax,
			warning: warningOf(hold, seen.now),
			outsideFullAt: outsideFullAt(hold, seen.outside, seen.now)
		},
		reopening: reopening && {
			...reopening,
			nextRatePerMinute:
				reopening.step >= reopening.steps
					? null
					: reopenRate(fullRatePerMinute, reopening.step + 1, reopening.steps),
			mayAdvance: isConfirmed(stored)
		},
		crowdOutside: seen.outside,
		shows: seen.evacuating || properties.direction === 'out' ? 'exit' : 'entry',
		mark: seen.mark
	};
}

/** Before the first command nobody was asked: then there is nothing to differ from. */
function differenceOf(stored: StoredGate, now: number): Gate['difference'] {
	const { confirmed, version } = stored;
	if (isConfirmed(stored) || (stored.by === null && confirmed === null)) return null;
	const since = confirmed && confirmed.version === version ? confirmed.at : stored.at;
	return { since, overdue: now - since >= confirmWithinMs };
}

function warningOf(hold: { since: number; until: number }, now: number) {
	const share = (now - hold.since) / Math.max(1, hold.until - hold.since);
	if (share >= 1) return 'over';
	if (share >= holdWarningShares.most) return 'most';
	return share >= holdWarningShares.half ? 'half' : null;
}

/** When the zone outside is full at this growth, if the hold lasts longer than that (one that is over still holds). */
export function outsideFullAt(
	hold: { until: number },
	outside: CrowdOutside | null,
	now: number
): number | null {
	if (!outside || outside.people === null || outside.capacity === null) return null;
	const room = outside.capacity - outside.people;
	if (room <= 0) return Math.min(hold.until, outside.at ?? now);
	if (outside.growthPerMinute === null || outside.growthPerMinute <= 0) return null;
	const at = now + (room / outside.growthPerMinute) * 60_000;
	// A hold that is over goes on until a person ends it: then every forecast within the next hold counts.
	const end = now < hold.until ? hold.until : now + 600_000;
	return at <= end ? Math.floor(at / forecastStepMs) * forecastStepMs : null;
}
