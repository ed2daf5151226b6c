import type { Mark, ReachedStep, Zone } from '../../../contract/index.ts';
import type { Counter } from '../sensors/index.ts';
import type { SiteZone } from '../site/index.ts';
import { actionStep } from './action-step.ts';
import { createFlowWindow, type FlowRate } from './flow-window.ts';
import { timeToCapacity, type TimeToCapacity } from './time-to-capacity.ts';
import { boundsOf, createSilence, type Silence } from './zone-silence.ts';
import { boundaryFlow, findSources, hear, peopleInside, type Hearing } from './zone-sources.ts';

/** Where the counting of a zone starts: people then, and the net flow over its boundary at that moment. */
export interface Anchor {
	at: number;
	present: number;
	netFlow: number;
}

/** One zone, looked at once a second. Pure: readings and time come in, figures go out. */
export interface ZoneWatch {
	zone: SiteZone;
	/** Works everything out anew. */
	look(now: number): void;
	/** The figures of the last look. `ageSeconds` is null: screens count from `at`. */
	figures(language: 'ar' | 'en'): Zone;
	/** Signed people by the counting, never clamped; null when nothing was ever heard or anchored. */
	signed(): number | null;
	/** Net people over the boundary since ever. */
	netFlow(): number;
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
	let lowest = 0;
	/** A count that has been so far below 0 stays wrong, however it rises: those people are missing in it still. */
	const provenWrong = -Math.max(10, zone.capacity * 0.005);
	let shown: Omit<Zone, 'name'> = neverSeen(zone, options.mark);

	const netFlow = () => {
		const flow = boundaryFlow(sources);
		return flow.in - flow.out + options.retiredNetFlow();
	};

	const signed = (): number | null => {
		if (sources.mode === 'present') return peopleInside(sources, zone);
		const isCounted = anchor !== null || sources.deciding.some(({ state }) => state.heardAt !== null);
		return isCounted ? (anchor?.present ?? 0) + netFlow() - (anchor?.netFlow ?? 0) : null;
	};

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
		window.push({ at: now, ...flow });
		if (hearing.silentShare === 0)
			fullRate = window.rate(longSeconds) ?? window.rate(shortSeconds) ?? fullRate;
		silence = silenceOf.note(hearing, { last: signed(), anchor, flow });
		const raw = signed();
		const present = raw === null ? null : Math.max(0, raw);
		lowest = Math.min(lowest, raw ?? 0);
		estimateTime(hearing, present, now);
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
				people: silence ? Math.max(0, silence.present) : present,
				worst: worst?.high ?? null,
				quality: hearing.quality
			},
			step
		);
		shown = {
			...neverSeen(zone, options.mark),
			present: isUnknown ? null : present,
			occupancy: isUnknown || present === null ? null : round(present / zone.capacity, 4),
			density:
				isUnknown || present === null || zone.areaSquareMetres <= 0
					? null
					: round(present / zone.areaSquareMetres, 2),
			quality: hearing.quality,
			at: hearing.newestAt,
			sources: { heard: hearing.heard, expected: hearing.expected },
			step,
			timeToCapacity: estimate,
			netInflowPerMinute: isUnknown || hearing.quality === 'stale' ? null : netPerMinute,
			lastKnown: silence && { present: Math.max(0, silence.present), at: silence.at },
			worstCase: worst,
			drift: raw !== null && (raw < 0 || lowest < provenWrong)
		};
	};

	const setAnchor = (next: Anchor) => {
		anchor = next;
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
		signed,
		netFlow,
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
