/** What the model is told. All figures are people or items, seconds, and people a second. */

/** A rate over time: straight lines between the points, before the first and after the last it stays as it is. */
export type Curve = readonly { readonly second: number; readonly perSecond: number }[];

/** The waiting room as it stands, and who comes. */
export interface RoomPart {
	readonly waiting: number;
	readonly called: number;
	readonly active: number;
	/** What the conductor may let in. */
	readonly ratePerSecond: number;
	/** Cap on called and inside together; null: none. */
	readonly placesMax: number | null;
	/** Share of called people who do not come, 0 to 0.5. */
	readonly noShow: number;
	/** Mean time until a called person presses. */
	readonly claimSeconds: number;
	/** A called person who stays away frees the place after so long. */
	readonly claimWithinSeconds: number;
	readonly arrivals: Curve;
}

/** What stands behind the room: everything that is offered waits until it is served. */
export interface WorkPart {
	readonly backlog: number;
	readonly capacityPerSecond: number;
	/** Mean time from being let in to asking for the service. */
	readonly thinkSeconds: number;
}

/** A queue that each served person leaves something in: confirmations, pushes. */
export interface QueuePart {
	readonly id: string;
	readonly depth: number;
	/** Items for each person who is served. */
	readonly perServed: number;
	readonly drainPerSecond: number;
}

export interface ZonePart {
	readonly id: string;
	readonly present: number;
	readonly capacity: number;
	/** Mean stay; null: nobody leaves. */
	readonly staySeconds: number | null;
}

/** A gate into a zone, with the crowd before it. */
export interface GatePart {
	readonly id: string;
	readonly zone: string;
	readonly lanes: number;
	readonly perLanePerSecond: number;
	/** 1 open, 0 held or closed, between them metered. */
	readonly openShare: number;
	/** Before it now. */
	readonly outside: number;
	/** How many may stand there; null: nobody knows. */
	readonly outsideMax: number | null;
	readonly arrivals: Curve;
}

/** A way from one zone to the next (or out of the site: `to` null) that those who leave take. */
export interface PathPart {
	readonly from: string;
	readonly to: string | null;
	/** Part of those who leave `from`; what no path takes leaves the site. */
	readonly share: number;
	/** The most that fit through; null: no limit. */
	readonly perSecondMax: number | null;
	readonly walkSeconds: number;
}

/** Something that is done, or would be, at a second of the run. */
export type ModelChange = { readonly second: number } & (
	| { readonly kind: 'rate'; readonly perSecond: number }
	| { readonly kind: 'places'; readonly max: number | null }
	| { readonly kind: 'capacity'; readonly perSecond: number }
	| { readonly kind: 'drain'; readonly queue: string; readonly perSecond: number }
	| {
			readonly kind: 'gate';
			readonly gate: string;
			readonly openShare: number;
			/** Lanes from now on; as before where it is left out. */
			readonly lanes?: number;
	  }
	/** People who are sent to a gate and come there spread evenly over a time. */
	| { readonly kind: 'send'; readonly gate: string; readonly people: number; readonly overSeconds: number }
);

/** A whole situation and what is to be done in it. */
export interface ModelPlan {
	/** How far to look: 86,400 at most. */
	readonly seconds: number;
	/** One step: 1 to 60. */
	readonly stepSeconds: number;
	readonly room: RoomPart | null;
	readonly work: WorkPart | null;
	readonly queues: readonly QueuePart[];
	readonly zones: readonly ZonePart[];
	readonly gates: readonly GatePart[];
	readonly paths: readonly PathPart[];
	readonly changes: readonly ModelChange[];
}

export const modelSecondsMax = 86_400;
export const modelPartsMax = 1_000;
export const modelChangesMax = 1_000;

/** The rate of a curve at a second; an empty one is 0. */
export function rateAt(curve: Curve, second: number): number {
	const after = curve.findIndex((point) => point.second > second);
	if (after === 0) return curve[0]!.perSecond;
	if (after === -1) return curve.at(-1)?.perSecond ?? 0;
	const [a, b] = [curve[after - 1]!, curve[after]!];
	return a.perSecond + ((b.perSecond - a.perSecond) * (second - a.second)) / (b.second - a.second);
}

/** @throws RangeError that names what is out of bounds: a model of nonsense would look like a forecast */
export function checkPlan(plan: ModelPlan): void {
	within('stepSeconds', plan.stepSeconds, 1, 60);
	within('seconds', plan.seconds, plan.stepSeconds, modelSecondsMax);
	const parts = [plan.queues, plan.zones, plan.gates, plan.paths];
	within('parts', Math.max(...parts.map((list) => list.length)), 0, modelPartsMax);
	within('changes', plan.changes.length, 0, modelChangesMax);
	const { room, work } = plan;
	if (room) {
		for (const name of ['waiting', 'called', 'active', 'ratePerSecond'] as const) amount(name, room[name]);
		if (room.placesMax !== null) amount('placesMax', room.placesMax);
		within('noShow', room.noShow, 0, 0.95);
		curve('room.arrivals', room.arrivals);
	}
	if (work)
		for (const name of ['backlog', 'capacityPerSecond', 'thinkSeconds'] as const) amount(name, work[name]);
	const zones = new Set(plan.zones.map((zone) => zone.id));
	for (const zone of plan.zones) amount(`zone ${zone.id}`, zone.present);
	for (const gate of plan.gates) {
		if (!zones.has(gate.zone)) throw new RangeError(`gate ${gate.id} leads to an unknown zone`);
		amount(`gate ${gate.id}`, gate.outside);
		within(`gate ${gate.id} openShare`, gate.openShare, 0, 1);
		curve(`gate ${gate.id}`, gate.arrivals);
	}
	for (const path of plan.paths) {
		if (!zones.has(path.from) || (path.to !== null && !zones.has(path.to)))
			throw new RangeError(`a path joins unknown zones`);
		within('share of a path', path.share, 0, 1);
	}
}

function curve(name: string, points: Curve): void {
	let before = -Infinity;
	for (const point of points) {
		amount(name, point.perSecond);
		if (!(point.second > before)) throw new RangeError(`${name}: its points must ascend`);
		before = point.second;
	}
}

function amount(name: string, value: number): void {
	within(name, value, 0, 1e9);
}

function within(name: string, value: number, least: number, most: number): void {
	if (!(value >= least && value <= most)) throw new RangeError(`${name} must be from ${least} to ${most}`);
}
