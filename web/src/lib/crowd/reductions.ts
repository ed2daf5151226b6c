import type {
	AffectedState,
	PlannedSlot,
	Reduction,
	ReductionPreviewRequest,
	ReductionTarget
} from '@marsad/server/contract';

/** What the form holds; numbers as typed. */
export interface ReductionDraft {
	kind: ReductionTarget['kind'];
	slot: number | null;
	capacity: number | null;
	place: string;
	zone: string;
	from: number | null;
	to: number | null;
	keepPercent: number | null;
	answerMinutes: number | null;
	withinHours: number | null;
	otherPlaces: boolean;
	unanswered: Reduction['terms']['unanswered'];
	withoutRoom: Reduction['terms']['withoutRoom'] | 'default';
}

const isWhole = (value: number | null, min: number, max: number): value is number =>
	value !== null && Number.isInteger(value) && value >= min && value <= max;

/** The request that a draft stands for; null while something is missing or out of range. */
export function requestOf(draft: ReductionDraft): ReductionPreviewRequest | null {
	const target = targetOf(draft);
	const { answerMinutes, withinHours, otherPlaces, unanswered, withoutRoom } = draft;
	if (!target || !isWhole(answerMinutes, 1, 2_880) || !isWhole(withinHours, 1, 336)) return null;
	return {
		...{ target, answerMinutes, withinHours, otherPlaces, unanswered },
		...(withoutRoom === 'default' ? {} : { withoutRoom })
	};
}

function targetOf(draft: ReductionDraft): ReductionTarget | null {
	const { kind, slot, capacity, place, zone, from, to, keepPercent } = draft;
	if (kind === 'slot')
		return slot !== null && isWhole(capacity, 0, 10_000_000) ? { kind, slot, capacity } : null;
	if (from === null || to === null || to <= from || !isWhole(keepPercent, 0, 99)) return null;
	const span = { from, to, keepPercent };
	if (kind === 'place') return place === '' ? null : { kind, place, ...span };
	return zone === '' ? null : { kind, zone, ...span };
}

/** Moments at which a span may begin and end, from the slots that are planned. */
export function spanMoments(slots: readonly PlannedSlot[]): { begins: number[]; ends: number[] } {
	const sorted = (pick: (slot: PlannedSlot) => number) => [...new Set(slots.map(pick))].sort((a, b) => a - b);
	return { begins: sorted((slot) => slot.startsAt), ends: sorted((slot) => slot.endsAt) };
}

/** In which order what has come of the affected is told: what is open first. */
export const progressOrder: readonly AffectedState[] = [
	...(['new', 'offered', 'waiting', 'accepted', 'moved', 'changed', 'declined'] as const),
	...(['revoked', 'kept', 'entered', 'withdrawn'] as const)
];

/** What has come of a reduction's affected, without what nobody is in. */
export function progressOf({ progress }: Pick<Reduction, 'progress'>) {
	return progressOrder.flatMap((state) => {
		const group = progress[state];
		return group && group.permits > 0 ? [{ state, ...group }] : [];
	});
}

/** Those that wait for somebody first, then those that run, then the others; newest first. */
export function sortReductions(all: readonly Reduction[]): Reduction[] {
	const rank = ({ state }: Reduction) => (state === 'proposed' ? 0 : state === 'running' ? 1 : 2);
	return [...all].sort((a, b) => rank(a) - rank(b) || b.proposedAt - a.proposedAt);
}
