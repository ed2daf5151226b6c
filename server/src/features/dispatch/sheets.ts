import {
	headlineOf,
	titleOfSubject,
	type Alarm,
	type Dispatch,
	type Gate,
	type HandoverSheet,
	type Incident,
	type Mark,
	type SheetAlarm,
	type SheetGate,
	type SheetZone,
	type StateSheet,
	type Zone
} from '../../../contract/index.ts';
import type { Site } from '../site/index.ts';
import { isOpen } from './order-steps.ts';
import type { SheetSources } from './ports.ts';
import type { Shown } from './shown.ts';

/** What both sheets are made of, all of one moment. */
export interface SheetParts {
	at: number;
	site: Pick<Site, 'name' | 'timeZone'>;
	mark: Mark;
	zones: readonly Zone[];
	shown: Shown;
	sources: SheetSources;
}

/** The state of everything, for the day the screens are dark. Pure. */
export function buildStateSheet(parts: SheetParts): StateSheet {
	return {
		...base(parts),
		zones: parts.zones.map(toSheetZone),
		gates: parts.sources.gates().map(toSheetGate),
		teams: parts.shown.teams,
		alarms: sheetAlarms(parts)
	};
}

/** What the next shift must know: open and abnormal things only. Pure. */
export function buildHandover(
	parts: SheetParts,
	rest: Pick<HandoverSheet, 'changes' | 'changesCut' | 'lastNotes'>
): HandoverSheet {
	const alarms = sheetAlarms(parts);
	return {
		...base(parts),
		alarms: alarms.filter(({ shelvedUntil }) => shelvedUntil === null),
		shelved: alarms.filter(({ shelvedUntil }) => shelvedUntil !== null),
		gates: parts.sources
			.gates()
			.filter(({ commanded, difference }) => commanded.state !== 'open' || difference !== null)
			.map(toSheetGate),
		zonesUnknown: parts.zones
			.filter(({ quality }) => quality === 'unknown' || quality === 'stale')
			.map(toSheetZone),
		teams: parts.shown.teams,
		...rest
	};
}

function base({ at, site, mark, shown, sources }: SheetParts) {
	const dispatches: Dispatch[] = shown.dispatches.filter(
		({ state, replacedBy }) => isOpen(state) && replacedBy === null
	);
	const incidents: Incident[] = shown.incidents.filter(({ state }) => state === 'open');
	return {
		at,
		site: site.name,
		timeZone: site.timeZone,
		mark,
		level: sources.level(),
		dispatches,
		incidents
	};
}

function toSheetZone(zone: Zone): SheetZone {
	const { id, names, present, capacity, occupancy, quality, lastKnown } = zone;
	return {
		...{ id, names, present, capacity, occupancy, quality, lastKnown },
		worst: zone.worstCase?.high ?? null,
		step: zone.step?.action ?? null
	};
}

/** What is put aside by design stands in the alarm that is its cause. */
function sheetAlarms({ sources }: SheetParts): SheetAlarm[] {
	return sources
		.alarms()
		.filter(({ suppressed }) => suppressed === null)
		.map(toSheetAlarm);
}

/** Paper has no other column for it: the title says of what it speaks. */
function toSheetAlarm(alarm: Alarm): SheetAlarm {
	const { id, priority, subject, state, raisedAt, shelved } = alarm;
	const headline = headlineOf(alarm);
	const named = (language: 'ar' | 'en') => titleOfSubject(headline[language], subject.names[language]);
	return {
		...{ id, priority, state, raisedAt, shelvedUntil: shelved?.until ?? null },
		title: { ar: named('ar'), en: named('en') }
	};
}

/** As commanded; whether the steward says the same stands beside it. */
function toSheetGate({ id, names, direction, commanded, confirmed }: Gate): SheetGate {
	const { state, by, at, reason } = commanded;
	return {
		...{ id, names, direction, state, reason },
		since: by === null ? null : at,
		confirmed: confirmed?.state === state
	};
}
