import {
	dayOfText,
	ummAlQura,
	type CapacityOrder,
	type Duty,
	type DutyRequest,
	type FreezeCover,
	type FreezeRequest,
	type FreezeWindow,
	type KnownSpike,
	type OrderRequest,
	type OrderState,
	type Seat,
	type SightingRequest,
	type Span,
	type SpikeKind,
	type SpikeRequest
} from '@marsad/server/contract';

/** What is missing or wrong in a form; each has its word under `sea_fault_…`. */
export type Fault =
	'names' | 'date' | 'time' | 'people' | 'span' | 'covers' | 'signed' | 'account' | 'source' | 'reason';

/** Names in both languages, and why: every form of the plan has them. */
interface CommonDraft {
	nameAr: string;
	nameEn: string;
	reason: string;
}
export interface SpikeDraft extends CommonDraft {
	kind: SpikeKind;
	calendar: 'hijri' | 'gregorian';
	year: number | null;
	month: number;
	day: number | null;
	date: string;
	night: boolean;
	whole: boolean;
	from: string;
	minutes: number | null;
	people: number | null;
	/** Empty: none. */
	place: string;
}
export interface SpanDraft {
	way: 'around' | 'times';
	spike: string;
	hoursBefore: number | null;
	hoursAfter: number | null;
	from: string;
	until: string;
}
export interface FreezeDraft extends CommonDraft, SpanDraft {
	covers: FreezeCover[];
}
export interface OrderDraft extends CommonDraft, SpanDraft {
	place: string;
	signedBy: string;
	signedOn: string;
	state: OrderState;
}
export interface DutyDraft extends SpanDraft {
	account: string;
	seat: Seat;
	reason: string;
}
export interface SightingDraft {
	year: number | null;
	month: number;
	firstDay: string;
	source: string;
	reason: string;
}

const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;
const isText = (text: string, least = 1) => text.trim().length >= least;
const isWhole = (value: number | null, least: number, most: number): value is number =>
	value !== null && Number.isInteger(value) && value >= least && value <= most;
const namesOf = ({ nameAr, nameEn }: CommonDraft) => ({ ar: nameAr.trim(), en: nameEn.trim() });
const hasNames = ({ nameAr, nameEn }: CommonDraft) => isText(nameAr) && isText(nameEn);
const hasReason = ({ reason }: { reason: string }) => isText(reason, 3);
const faults = (checks: Partial<Record<Fault, boolean>>): Fault[] =>
	(Object.keys(checks) as Fault[]).filter((fault) => checks[fault] === false);

export function spikeDraftOf(spike: KnownSpike | null, year: number): SpikeDraft {
	const hijri = spike?.day.calendar === 'hijri' ? spike.day : null;
	return {
		...{ nameAr: spike?.names.ar ?? '', nameEn: spike?.names.en ?? '', reason: '' },
		...{ kind: spike?.kind ?? 'opening', calendar: spike?.day.calendar ?? 'hijri' },
		...{ year: hijri?.year ?? year, month: hijri?.month ?? 9, day: hijri?.day ?? null },
		date: spike?.day.calendar === 'gregorian' ? spike.day.date : '',
		...{ night: spike?.night ?? false, whole: spike !== null && spike.from === null },
		...{ from: spike?.from ?? '', minutes: spike?.minutes ?? null, people: spike?.expectedPeople ?? null },
		place: spike?.place ?? ''
	};
}

export function spikeFaults(draft: SpikeDraft): Fault[] {
	const { calendar, year, month, day, date, night, whole, from, minutes, people } = draft;
	const isHijri = calendar === 'hijri';
	// A month may be a day longer than calculated where it was announced so: the server knows.
	const hasDay = isHijri
		? isWhole(day, 1, 30) && ummAlQura.dayOf({ year: year ?? 0, month, day: Math.min(day, 29) }) !== null
		: dayOfText(date) !== null;
	const isWholeNight = isHijri && night && whole;
	return faults({
		names: hasNames(draft),
		date: hasDay,
		time: isWholeNight || (timePattern.test(from) && isWhole(minutes, 1, 4_320)),
		people: people === null || isWhole(people, 1, 100_000_000),
		reason: hasReason(draft)
	});
}

export function spikeRequest(draft: SpikeDraft): SpikeRequest {
	const isHijri = draft.calendar === 'hijri';
	const night = isHijri && draft.night;
	const whole = night && draft.whole;
	return {
		...{ names: namesOf(draft), kind: draft.kind, night, reason: draft.reason.trim() },
		day: isHijri
			? { calendar: 'hijri', year: draft.year ?? 0, month: draft.month, day: draft.day ?? 0 }
			: { calendar: 'gregorian', date: draft.date },
		...{ from: whole ? null : draft.from, minutes: whole ? null : draft.minutes },
		...{ expectedPeople: draft.people, place: draft.place === '' ? null : draft.place }
	};
}

export function spanDraftOf(span: Span | null, spikes: readonly KnownSpike[]): SpanDraft {
	if (span && 'from' in span)
		return { way: 'times', spike: spikes[0]?.id ?? '', hoursBefore: 24, hoursAfter: 6, ...span };
	return {
		...{ way: span || spikes.length > 0 ? 'around' : 'times', from: '', until: '' },
		spike: span?.spike ?? spikes[0]?.id ?? '',
		...{ hoursBefore: (span?.beforeMinutes ?? 1_440) / 60, hoursAfter: (span?.afterMinutes ?? 360) / 60 }
	};
}

function isSpan({ way, spike, hoursBefore, hoursAfter, from, until }: SpanDraft): boolean {
	if (way === 'times') return from !== '' && until !== '' && from < until;
	const isHours = (hours: number | null) => hours !== null && hours >= 0 && hours <= 8_760;
	return spike !== '' && isHours(hoursBefore) && isHours(hoursAfter);
}

function spanOf({ way, spike, hoursBefore, hoursAfter, from, until }: SpanDraft): Span {
	if (way === 'times') return { from: from.slice(0, 16), until: until.slice(0, 16) };
	const minutes = (hours: number | null) => Math.round((hours ?? 0) * 60);
	return { spike, beforeMinutes: minutes(hoursBefore), afterMinutes: minutes(hoursAfter) };
}

export function freezeDraftOf(freeze: FreezeWindow | null, spikes: readonly KnownSpike[]): FreezeDraft {
	return {
		...{ nameAr: freeze?.names.ar ?? '', nameEn: freeze?.names.en ?? '', reason: '' },
		covers: [...(freeze?.covers ?? (['deploys', 'plans'] as const))],
		...spanDraftOf(freeze?.span ?? null, spikes)
	};
}
export const freezeFaults = (draft: FreezeDraft): Fault[] =>
	faults({
		...{ names: hasNames(draft), covers: draft.covers.length > 0 },
		...{ span: isSpan(draft), reason: hasReason(draft) }
	});
export const freezeRequest = (draft: FreezeDraft): FreezeRequest => ({
	...{ names: namesOf(draft), covers: [...draft.covers], span: spanOf(draft), reason: draft.reason.trim() }
});

export function orderDraftOf(order: CapacityOrder | null, spikes: readonly KnownSpike[]): OrderDraft {
	return {
		...{ nameAr: order?.names.ar ?? '', nameEn: order?.names.en ?? '', reason: '' },
		...{ place: order?.place ?? '', signedBy: order?.signedBy ?? '', signedOn: order?.signedOn ?? '' },
		...{ state: order?.state ?? 'planned', ...spanDraftOf(order?.span ?? null, spikes) }
	};
}
export const orderFaults = (draft: OrderDraft): Fault[] =>
	faults({
		...{ names: hasNames(draft), span: isSpan(draft) },
		signed: isText(draft.signedBy) && dayOfText(draft.signedOn) !== null,
		reason: hasReason(draft)
	});
export const orderRequest = (draft: OrderDraft): OrderRequest => ({
	...{ names: namesOf(draft), place: draft.place === '' ? null : draft.place, span: spanOf(draft) },
	...{ signedBy: draft.signedBy.trim(), signedOn: draft.signedOn, state: draft.state },
	reason: draft.reason.trim()
});

export function dutyDraftOf(duty: Duty | null, spikes: readonly KnownSpike[]): DutyDraft {
	return {
		...{ account: duty?.account ?? '', seat: duty?.seat ?? 'duty-manager', reason: '' },
		...spanDraftOf(duty?.span ?? null, spikes)
	};
}
export const dutyFaults = (draft: DutyDraft): Fault[] =>
	faults({ account: draft.account !== '', span: isSpan(draft), reason: hasReason(draft) });
export const dutyRequest = (draft: DutyDraft): DutyRequest => ({
	...{ account: draft.account, seat: draft.seat, span: spanOf(draft), reason: draft.reason.trim() }
});

export const sightingFaults = (draft: SightingDraft): Fault[] =>
	faults({
		date:
			ummAlQura.dayOf({ year: draft.year ?? 0, month: draft.month, day: 1 }) !== null &&
			dayOfText(draft.firstDay) !== null,
		...{ source: isText(draft.source, 3), reason: hasReason(draft) }
	});
export const sightingRequest = (draft: SightingDraft): SightingRequest => ({
	...{ year: draft.year ?? 0, month: draft.month, firstDay: draft.firstDay },
	...{ source: draft.source.trim(), reason: draft.reason.trim() }
});
