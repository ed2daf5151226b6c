import type { ModelPremise, RunParameters } from '../../../contract/index.ts';
import { phasesOf, sizeOf } from '../../../contract/index.ts';
import { runModel, type Curve, type ModelPlan } from '../../../contract/model/index.ts';
import { bucketOf } from '../spike/index.ts';
import type { RunSecond } from './run-seconds.ts';

const nobodyHeld = 1e6;
const confirmations = 'confirmations';

/** The same load in virtual time: what the one model expects of a service of that capacity. Pure. */
export function runInModel(parameters: RunParameters, premise: ModelPremise): RunSecond[] {
	const plan = modelPlan(parameters, premise);
	const run = runModel(plan);
	const { room, work } = run;
	if (!room || !work) return [];
	const queue = run.queues.get(confirmations);
	return Array.from(run.second, (second, i): RunSecond => {
		const arrivals = Math.round(room.joinedPerSecond[i]!);
		const served = work.servedPerSecond[i]!;
		const waitMs = (work.waitSeconds[i]! + room.oldestSeconds[i]!) * 1_000;
		return {
			second,
			generator: {
				...{ second, offered: arrivals, started: arrivals, dropped: 0, ok: Math.round(served) },
				...{ conflict409: 0, refused429: 0, refused503: 0, timeout504: 0, faults: 0, unanswered: 0 }
			},
			server: {
				...{ joined: room.joinedPerSecond[i]!, admitted: room.admittedPerSecond[i]! },
				...{ offered: work.offeredPerSecond[i]!, served },
				...{ waiting: room.waiting[i]!, active: room.active[i]!, inHand: work.backlog[i]! },
				...{ refused: 0, faults: 0, breakerOpen: false },
				latency: served > 0 ? [[bucketOf(Math.max(1, waitMs)), Math.max(1, Math.round(served))]] : [],
				...{ poolInUse: null, poolSize: null, poolWaiting: null, poolWaitP95Ms: null },
				ratePerSecond: premise.ratePerSecond ?? nobodyHeld,
				...{ limitedBy: 'manager', level: 0, instances: null },
				oldestSeconds: Math.max(room.oldestSeconds[i]!, work.waitSeconds[i]!),
				queues: queue
					? [
							{
								...{ name: confirmations, depth: queue.depth[i]! },
								...{ oldestSeconds: queue.oldestSeconds[i]!, drainPerSecond: queue.outPerSecond[i]! }
							}
						]
					: []
			}
		};
	});
}

function modelPlan(parameters: RunParameters, premise: ModelPremise): ModelPlan {
	const { confirmationsPerSecond } = parameters;
	const rate = premise.ratePerSecond ?? nobodyHeld;
	return {
		...{ seconds: Math.max(2, Math.ceil(sizeOf(parameters).seconds)), stepSeconds: 1 },
		room: {
			...{ waiting: 0, called: 0, active: 0, ratePerSecond: rate, placesMax: null },
			...{ noShow: 0, claimSeconds: 0, claimWithinSeconds: 120 },
			arrivals: curveOf(parameters)
		},
		work: { backlog: 0, capacityPerSecond: premise.capacityPerSecond, thinkSeconds: 0 },
		queues:
			confirmationsPerSecond === null
				? []
				: [{ id: confirmations, depth: 0, perServed: 1, drainPerSecond: confirmationsPerSecond }],
		...{ zones: [], gates: [], paths: [], changes: [] }
	};
}

/** Corners of the plan; a step lies between two points that are a thousandth of a second apart. */
function curveOf(parameters: RunParameters): Curve {
	const points: { second: number; perSecond: number }[] = [];
	let at = 0;
	for (const { seconds, from, to } of phasesOf(parameters)) {
		points.push({ second: at + (points.length > 0 ? 0.001 : 0), perSecond: from });
		at += seconds;
		points.push({ second: at, perSecond: to });
	}
	return points;
}
