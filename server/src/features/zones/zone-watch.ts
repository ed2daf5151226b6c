import type { Mark, ReachedStep, Zone } from '../../../contract/index.ts';
import type { Counter } from '../sensors/index.ts';
import type { Site, SiteZone } from '../site/index.ts';
import { actionStep } from './action-step.ts';
import { disagreementOf } from './disagreement.ts';
import { createFlowWindow, type FlowRate } from './flow-window.ts';
import { holdPoint, upstreamOf } from './hold-point.ts';
import { levelOfService, movementOf, openingMetres } from './level-of-service.ts';
import { timeToCapacity, type TimeToCapacity } from './time-to-capacity.ts';
import { boundsOf, createSilence, type Silence } from './zone-silence.ts';
import {
	boundaryFlow,
	findSources,
	hear,
	heatOf,
	hintsOf,
	lateFlow,
	peopleInside,
	peopleSeen,
	type Hearing
} from './zone-sources.ts';

/** Where the counting of a zone starts: people then, and the net flow over its boundary at that moment. */
export interface Anchor {
	at: number;
	present: number;
	netFlow: number;
	/** People who had come in by then, since ever. */
	flowIn: number;
	/** Error of the counting before it, a share; null when nobody can say. */
	error: number | null;
	/** Date of the night it was scheduled for; null for a recount. */
	night: string | null;
}

/** One zone, looked at once a second. Pure: readings and time come in, figures go out. */
export interface ZoneWatch {
	zone: SiteZone;
	/** Works everything out anew. */
	look(now: number): void;
	/** After a look at every zone: what the zones around it mean for this one. */
	relate(zoneOf: (id: string) => Zone | undefined): void;
	/** The figures of the last look. `ageSeconds` is null: screens count from `at`. */
	figures(language: 'ar' | 'en'): Zone;
	/** Signed people by the counting, never clamped; null when nothing was ever heard or anchored. */
	signed(): number | null;
	/** Net people over the boundary since ever. */
	netFlow(): number;
	/** People into the zone since ever. */
	flowIn(): number;
	/** |correction| ÷ people in since the anchor in force: the error of the counting. */
	errorOf(correction: number | null): number | null;
	/** Whether an anchor was set at this moment or later. */
	anchoredSince(at: number): boolean;
	setAnchor(anchor: Anchor): void;
	/** The same for one that may be in force here already: then nothing begins anew. */
	adoptAnchor(anchor: Anchor): void;
	/** Stored counts were loaded: flows seen before do not belong to them. */
	forgetFlows(): void;
	deciding: readonly Counter[];
}

const shortSeconds = 60;
const longSeconds = 300;
/**
 * Net and time to capacity follow at this pace, both in the same moment: faster would only flicker, and apart they
 * would contradict each other.
 */
const estimateEveryMs = 5_000;

export function createZoneWatch(options: {
	zone: SiteZone;
	counters: Iterable<Counter>;
	/** Net people that counters which left the site file brought into the zone. */
	retiredNetFlow: () => number;
	corridors: Site['corridors'];
	mark: Mark;
}): ZoneWatch {
	const { zone } = options;
	const sources = findSources(zone, options.counters);
	const window = createFlowWindow(longSeconds);
	let anchor: Anchor | null = null;
	const silenceOf = createSilence(sources, options.retiredNetFlow);
	let silence: Silence | null = null;
	let fullRate: FlowRate | null = null;
	let estimate: TimeToCapacity | null = null;
	let netPerMinute: number | null = null;
	let estimatedAt: number | null = null;
	let step: ReachedStep | null = null;
	let disagreement: Zone['disagreement'] = null;
	let lowest = 0;
	/** A count that has been so far below 0 stays wrong, however it rises: those people are missing in it still. */
	const provenWrong = -Math.max(10, zone.capacity * 0.005);
	let shown: Omit<Zone, 'name'> = neverSeen(zone, options.mark);

	const netFlow = () => {
		const flow = boundaryFlow(sources);
		return flow.in - flow.out + options.retiredNetFlow();
	};

	/** People by the doors. */
	const byDoors = (): number | null => {
		const isCounted =
			anchor !== null || sources.boundary.some(({ counter }) => counter.state.heardAt !== null);
		return isCounted ? (anchor?.present ?? 0) + netFlow() - (anchor?.netFlow ?? 0) : null;
	};
	const signed = (): number | null => (sources.mode === 'present' ? peopleInside(sources, zone) : byDoors());
	const compare = (now: number): Zone['disagreement'] => {
		const doors = sources.boundary.length === 0 ? null : byDoors();
		return disagreementOf(peopleSeen(sources, zone, now), doors, disagreement);
	};
	const flowIn = () => boundaryFlow(sources).in;

	const estimateTime = (hearing: Hearing, present: number | null, now: number): void => {
		// Silent: the last estimate stands and counts down, it never stands still and reassures.
		if (hearing.quality === 'stale' || hearing.quality === 'unknown' || present === null) return;
		if (estimatedAt !== null && now - estimatedAt < estimateEveryMs && now >= estimatedAt) return;
		const lastMinute = window.rate(shortSeconds);
		estimatedAt = lastMinute ? now : null;
		netPerMinute = lastMinute && Math.round((lastMinute.in - lastMinute.out) * 60);
		estimate = timeToCapacity(zone.capacity - present, lastMinute, window.rate(longSeconds), now);
	};

	const look = (now: number): void => {
		const hearing = hear(sources, now);
		const flow = boundaryFlow(sources);
		const late = lateFlow(sources);
		window.push({ at: now, in: flow.in - late.in, out: flow.out - late.out });
		if (hearing.silentShare === 0)
			fullRate = window.rate(longSeconds) ?? window.rate(shortSeconds) ?? fullRate;
		silence = silenceOf.note(hearing, { last: signed(), anchor, flow });
		const raw = signed();
		const present = raw === null ? null : Math.max(0, raw);
		lowest = Math.min(lowest, raw ?? 0);
		estimateTime(hearing, present, now);
		disagreement = compare(now);
		const isUnknown = hearing.quality === 'unknown';
		const worst = boundsOf({
			sources,
			hearing,
			silence,
			present,
			flow,
			rate: fullRate,
			capacity: zone.capacity,
			now
		});
		step = actionStep(
			zone.steps,
			{
				capacity: zone.capacity,
				areaSquareMetres: zone.areaSquareMetres > 0 ? zone.areaSquareMetres : null,
				secondsToCapacity: estimate && Math.max(0, estimate.fromSeconds - (now - estimate.since) / 1_000),
				people: Math.max(
					0,
					silence?.present ?? present ?? -1,
					disagreement?.camera ?? 0,
					disagreement?.doors ?? 0
				),
				// Where no door is counted the bound says nothing, and one step worse has to do.
				worst: sources.boundary.length === 0 ? null : (worst?.high ?? null),
				quality: hearing.quality
			},
			step
		);
		const isBlind = isUnknown || hearing.quality === 'stale';
		const area = zone.areaSquareMetres;
		const density = isUnknown || present === null || area <= 0 ? null : round(present / area, 2);
		const rate = isBlind || sources.boundary.length === 0 ? null : window.rate(shortSeconds);
		const perMetre = rate && (Math.max(rate.in, rate.out) * 60) / openingMetres(zone);
		const movement = movementOf(zone.use, density, perMetre);
		shown = {
			...neverSeen(zone, options.mark),
			present: isUnknown ? null : present,
			occupancy: isUnknown || present === null ? null : round(present / zone.capacity, 4),
			density,
			quality: hearing.quality,
			at: hearing.newestAt,
			sources: { heard: hearing.heard, expected: hearing.expected },
			step,
			timeToCapacity: estimate,
			netInflowPerMinute: isUnknown || hearing.quality === 'stale' ? null : netPerMinute,
			lastKnown: silence && { present: Math.max(0, silence.present), at: silence.at },
			worstCase: worst,
			drift: raw !== null && (raw < 0 || lowest < provenWrong),
			levelOfService: levelOfService(zone.use, density),
			flowPerMinute: rate && { in: round(rate.in * 60, 1), out: round(rate.out * 60, 1) },
			movement: movement === 'empty' && disagreement ? null : movement,
			disagreement,
			error: anchor?.error ?? null,
			anchor: anchor && {
				...{ at: anchor.at, present: anchor.present },
				by: anchor.night === null ? 'recount' : 'nightly'
			},
			heat: heatOf(sources, now),
			assumedFullAt: isBlind && estimate ? estimate.since + estimate.fromSeconds * 1_000 : null,
			hints: hintsOf(sources, lowest < provenWrong || (raw ?? 0) < provenWrong, now)
		};
	};

	const setAnchor = (next: Anchor) => {
		anchor = next;
		disagreement = null;
		silenceOf.forget();
		// A new count is a new beginning: what the old one led to does not hold on.
		step = null;
		estimatedAt = null;
		lowest = 0;
	};

	return {
		zone,
		deciding: sources.deciding,
		look,
		figures: (language) => ({ ...shown, name: zone.names[language] }),
		relate(zoneOf) {
			const upstream = upstreamOf(zone, zoneOf);
			shown = { ...shown, upstream };
			const figures: Zone = { ...shown, name: zone.names.en };
			shown.holdPoint = holdPoint(zone, figures, { corridors: options.corridors }, zoneOf);
		},
		signed,
		netFlow,
		flowIn,
		errorOf(correction) {
			const people = flowIn() - (anchor?.flowIn ?? 0);
			return correction === null || people <= 0 ? null : round(Math.abs(correction) / people, 4);
		},
		anchoredSince: (at) => anchor !== null && anchor.at >= at,
		setAnchor,
		adoptAnchor(next) {
			const known =
				anchor?.at === next.at && anchor.present === next.present && anchor.netFlow === next.netFlow;
			if (!known) setAnchor(next);
		},
		forgetFlows() {
			window.clear();
			silenceOf.forget();
			estimate = netPerMinute = estimatedAt = null;
			lowest = 0;
		}
	};
}

function neverSeen(zone: SiteZone, mark: Mark): Omit<Zone, 'name'> {
	return {
		id: zone.id,
		names: zone.names,
		present: null,
		capacity: zone.capacity,
		occupancy: null,
		density: null,
		quality: 'unknown',
		mark,
		at: null,
		ageSeconds: null,
		sources: { heard: 0, expected: 0 },
		step: null,
		timeToCapacity: null,
		netInflowPerMinute: null,
		lastKnown: null,
		worstCase: null,
		drift: false,
		levelOfService: null,
		flowPerMinute: null,
		movement: null,
		binding: zone.binding,
		holdPoint: null,
		upstream: [...zone.fedBy],
		disagreement: null,
		error: null,
		anchor: null,
		heat: null,
		assumedFullAt: null,
		hints: []
	};
}

function round(value: number, digits: number): number {
	const unit = 10 ** digits;
	return Math.round(value * unit) / unit;
}
