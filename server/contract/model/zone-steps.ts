import { createDelayLine } from './delay-line.ts';
import { rateAt, type GatePart, type PathPart, type ZonePart } from './plan.ts';
import { shareWithin } from './room-steps.ts';

export interface GateStep {
	came: number;
	passed: number;
	outside: number;
}

/** What a change may move at a gate while the model runs. */
export interface GateSettings {
	openShare: number;
	lanes: number;
	/** People who were sent here: from, until (seconds), a second each. */
	sent: { from: number; until: number; perSecond: number }[];
}

/**
 * Zones, the gates into them and the ways between them. Nothing holds people back but lanes, widths and what was
 * ordered: a zone that fills over its capacity is what the model is there to show.
 */
export function createZones(
	zones: readonly ZonePart[],
	gates: readonly GatePart[],
	paths: readonly PathPart[],
	stepSeconds: number
) {
	const present = new Map(zones.map((zone) => [zone.id, zone.present]));
	const outside = new Map(gates.map((gate) => [gate.id, gate.outside]));
	const ways = paths.map((path) => ({ path, walk: createDelayLine(path.walkSeconds, stepSeconds) }));
	const add = (zone: string, people: number) => void present.set(zone, present.get(zone)! + people);

	const passGates = (second: number, settings: ReadonlyMap<string, GateSettings>) =>
		new Map(
			gates.map((gate): [string, GateStep] => {
				const { openShare, lanes, sent } = settings.get(gate.id)!;
				const extra = sent.reduce((sum, one) => sum + overlap(one, second, stepSeconds) * one.perSecond, 0);
				const came = rateAt(gate.arrivals, second + stepSeconds / 2) * stepSeconds + extra;
				const before = outside.get(gate.id)! + came;
				const passed = Math.min(before, lanes * gate.perLanePerSecond * openShare * stepSeconds);
				outside.set(gate.id, before - passed);
				add(gate.zone, passed);
				return [gate.id, { came, passed, outside: before - passed }];
			})
		);

	const walk = () => {
		const arrivals: [string, number][] = [];
		for (const zone of zones) {
			if (zone.staySeconds === null) continue;
			const leaving = present.get(zone.id)! * shareWithin(stepSeconds, zone.staySeconds);
			let left = leaving;
			for (const { path, walk } of ways) {
				if (path.from !== zone.id) continue;
				const fits = path.perSecondMax === null ? Infinity : path.perSecondMax * stepSeconds;
				const goes = Math.min(leaving * path.share, fits);
				left -= leaving * path.share;
				add(zone.id, -goes);
				const out = walk.step(goes);
				if (path.to !== null) arrivals.push([path.to, out]);
			}
			if (left > 0) add(zone.id, -left);
		}
		for (const [zone, people] of arrivals) add(zone, people);
	};

	return {
		step(second: number, settings: ReadonlyMap<string, GateSettings>) {
			const passed = passGates(second, settings);
			walk();
			return { gates: passed, present: present as ReadonlyMap<string, number> };
		},
		/** Everybody between two zones. */
		walking: () => ways.reduce((sum, { walk }) => sum + walk.inside(), 0)
	};
}

/** Seconds of a step that lie in a span. */
function overlap(span: { from: number; until: number }, second: number, stepSeconds: number): number {
	return Math.max(0, Math.min(span.until, second + stepSeconds) - Math.max(span.from, second));
}
