import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GatePart, ModelPlan, RoomPart, ZonePart } from './plan.ts';
import { readRun } from './read-run.ts';
import { runModel } from './run.ts';

const nothing: ModelPlan = {
	...{ seconds: 600, stepSeconds: 1, room: null, work: null },
	...{ queues: [], zones: [], gates: [], paths: [], changes: [] }
};
const emptyRoom: RoomPart = {
	...{ waiting: 0, called: 0, active: 0, ratePerSecond: 1e6, placesMax: null },
	...{ noShow: 0, claimSeconds: 0, claimWithinSeconds: 120, arrivals: [] }
};
const quickWork = { backlog: 0, capacityPerSecond: 400, thinkSeconds: 0 };
const gate = (more: Partial<GatePart>): GatePart => ({
	...{ id: 'g', zone: 'z', lanes: 2, perLanePerSecond: 0.5, openShare: 1, outside: 0 },
	...{ outsideMax: null, arrivals: [], ...more }
});
const zone = (more: Partial<ZonePart>): ZonePart => ({
	...{ id: 'z', present: 0, capacity: 1_000, staySeconds: null, ...more }
});

describe('the flash sale', () => {
	/** 100/s, in 30 s up to 600/s against 400/s, hold for a minute, down again; confirmations drain at 150/s. */
	const plan: ModelPlan = {
		...nothing,
		seconds: 1_200,
		room: {
			...emptyRoom,
			arrivals: [
				...[
					[0, 100],
					[60, 100],
					[90, 600],
					[150, 600],
					[180, 100],
					[240, 100],
					[241, 0]
				].map(([second, perSecond]) => ({ second: second!, perSecond: perSecond! }))
			]
		},
		work: quickWork,
		queues: [{ id: 'confirmations', depth: 0, perServed: 1, drainPerSecond: 150 }]
	};
	const run = runModel(plan);
	const reading = readRun(plan, run);

	it('grows by what comes too much: 200 a second', () => {
		const { backlog } = run.work!;
		expect(backlog[139]! - backlog[119]!).toBeCloseTo(200 * 20, 0);
		expect(run.work!.waitSeconds[149]!).toBeGreaterThan(20);
	});

	it('is not over before the last queue is empty', () => {
		const depth = run.queues.get('confirmations')!.depth;
		const emptyAt = depth.findLastIndex((items) => items > 0.5) + 2;
		expect(reading.recoveredAtSecond).toBe(emptyAt);
		const bookedAt = run.work!.backlog.findLastIndex((people) => people > 0.5) + 1;
		expect(reading.recoveredAtSecond!).toBeGreaterThan(bookedAt + 60);
	});

	it('names what gives way first, and what may be let in', () => {
		expect(reading.bottleneck).toMatchObject({ part: 'queue', id: 'confirmations' });
		expect(reading.suggestedPerSecond).toBeCloseTo(120);
		const wide = { ...plan, queues: [] };
		expect(readRun(wide, runModel(wide))).toMatchObject({
			bottleneck: { part: 'work', mostPerSecond: 400 },
			suggestedPerSecond: 320
		});
	});
});

describe('the waiting room', () => {
	it('lets in at its rate, makes up for who does not come, and empties when it must', () => {
		const plan: ModelPlan = {
			...nothing,
			seconds: 3_600,
			room: { ...emptyRoom, waiting: 9_000, ratePerSecond: 10, noShow: 0.1, claimSeconds: 5 }
		};
		const run = runModel(plan);
		expect(run.room!.admittedPerSecond[100]).toBeCloseTo(10 / 0.9);
		expect(readRun(plan, run).emptiesAtSecond).toBe(810);
		expect(run.room!.oldestSeconds[400]).toBe(401);
	});

	it('never calls more than there are places, and goes on as they come free', () => {
		const plan: ModelPlan = {
			...nothing,
			room: {
				...emptyRoom,
				waiting: 5_000,
				ratePerSecond: 100,
				placesMax: 200,
				claimSeconds: 10,
				noShow: 0.2
			},
			work: { backlog: 0, capacityPerSecond: 5, thinkSeconds: 20 }
		};
		const { room } = runModel(plan);
		for (let i = 0; i < 600; i++) expect(room!.called[i]! + room!.active[i]!).toBeLessThan(200.001);
		expect(room!.waiting[599]).toBeLessThan(5_000 - 5 * 400);
	});

	it('does at its second what a change says', () => {
		const room = { ...emptyRoom, waiting: 5_000, ratePerSecond: 10 };
		const changes = [
			{ second: 300, kind: 'rate', perSecond: 0 },
			{ second: 400, kind: 'rate', perSecond: 20 }
		] as const;
		const { waiting } = runModel({ ...nothing, room, changes }).room!;
		expect(waiting[299]).toBeCloseTo(2_000);
		expect(waiting[399]).toBeCloseTo(2_000);
		expect(waiting[449]).toBeCloseTo(1_000);
	});
});

describe('gates and zones', () => {
	it('shows the crowd before a gate, when it breaks, and when the zone is full', () => {
		const arrivals = [{ second: 0, perSecond: 3 }];
		const plan: ModelPlan = {
			...nothing,
			seconds: 1_800,
			gates: [gate({ arrivals, outsideMax: 600 })],
			zones: [zone({ capacity: 1_000 })]
		};
		const reading = readRun(plan, runModel(plan));
		expect(reading.gateBreaksAtSecond.get('g')).toBe(301);
		expect(reading.zoneFullAtSecond.get('z')).toBe(1_001);
		expect(reading.bottleneck).toMatchObject({ part: 'gate', id: 'g', mostPerSecond: 1 });
	});

	it('sends people to a gate over a time, and holds it', () => {
		const plan: ModelPlan = {
			...nothing,
			gates: [gate({ lanes: 10 })],
			zones: [zone({})],
			changes: [
				{ second: 60, kind: 'send', gate: 'g', people: 300, overSeconds: 100 },
				{ second: 110, kind: 'gate', gate: 'g', openShare: 0 }
			]
		};
		const run = runModel(plan);
		expect(run.zones.get('z')![109]).toBeCloseTo(150);
		expect(run.zones.get('z')![599]).toBeCloseTo(150);
		expect(run.gates.get('g')!.outside[599]).toBeCloseTo(150);
	});

	it('loses and makes nobody on the way from zone to zone', () => {
		const some = fc.double({ min: 0, max: 500, noNaN: true });
		fc.assert(
			fc.property(
				fc.record({ a: some, b: some, outside: some, rate: fc.double({ min: 0, max: 20, noNaN: true }) }),
				fc.integer({ min: 1, max: 30 }),
				fc.integer({ min: 0, max: 200 }),
				({ a, b, outside, rate }, stepSeconds, walkSeconds) => {
					const plan: ModelPlan = {
						...{ ...nothing, stepSeconds, seconds: 900 },
						zones: [zone({ id: 'z', present: a, staySeconds: 100 }), zone({ id: 'y', present: b })],
						gates: [gate({ outside, arrivals: [{ second: 0, perSecond: rate }] })],
						paths: [{ from: 'z', to: 'y', share: 1, perSecondMax: 3, walkSeconds }]
					};
					const run = runModel(plan);
					const last = run.second.length - 1;
					const there = ['z', 'y'].reduce((sum, id) => sum + run.zones.get(id)![last]!, 0);
					const came = run.gates.get('g')!.camePerSecond.reduce((sum, one) => sum + one * stepSeconds, 0);
					const all = there + run.gates.get('g')!.outside[last]!;
					// The rest walks between the two zones, three a second at most.
					const walking = a + b + outside + came - all;
					expect(walking).toBeGreaterThan(-1e-6);
					expect(walking).toBeLessThan(3 * (walkSeconds + 2 * stepSeconds) + 1e-6);
				}
			)
		);
	});
});

describe('every plan', () => {
	it('runs the same twice, and keeps everybody', () => {
		fc.assert(
			fc.property(
				fc.record({
					waiting: fc.integer({ min: 0, max: 10_000 }),
					ratePerSecond: fc.double({ min: 0, max: 300, noNaN: true }),
					noShow: fc.double({ min: 0, max: 0.5, noNaN: true }),
					capacity: fc.double({ min: 0, max: 300, noNaN: true }),
					arrives: fc.double({ min: 0, max: 300, noNaN: true })
				}),
				({ waiting, ratePerSecond, noShow, capacity, arrives }) => {
					const plan: ModelPlan = {
						...nothing,
						room: {
							...{ ...emptyRoom, waiting, ratePerSecond, noShow, claimSeconds: 5 },
							arrivals: [{ second: 0, perSecond: arrives }]
						},
						work: { backlog: 0, capacityPerSecond: capacity, thinkSeconds: 10 }
					};
					const run = runModel(plan);
					expect(runModel(plan)).toEqual(run);
					const joined = run.room!.joinedPerSecond.reduce((sum, one) => sum + one, 0);
					const released = run.room!.admittedPerSecond.reduce((sum, one) => sum + one, 0);
					expect(run.room!.waiting[599]).toBeCloseTo(waiting + joined - released, 4);
					for (const series of Object.values(run.room!))
						expect(Math.min(...series)).toBeGreaterThanOrEqual(0);
				}
			),
			{ numRuns: 30 }
		);
	});

	it('scatters only with a source of chance', () => {
		const room = { ...emptyRoom, ratePerSecond: 0, arrivals: [{ second: 0, perSecond: 7 }] };
		const run = runModel({ ...nothing, room }, (mean) => Math.floor(mean / 2));
		expect(run.room!.waiting[599]).toBe(1_800);
	});

	it('refuses nonsense by name', () => {
		const bad: [Partial<ModelPlan>, RegExp][] = [
			[{ stepSeconds: 0 }, /stepSeconds/],
			[{ seconds: 1e9 }, /seconds/],
			[{ room: { ...emptyRoom, waiting: NaN } }, /waiting/],
			[{ room: { ...emptyRoom, noShow: 1 } }, /noShow/],
			[{ gates: [gate({})] }, /unknown zone/],
			[{ zones: [zone({ present: -1 })] }, /zone z/],
			[{ changes: [{ second: 0, kind: 'gate', gate: 'nowhere', openShare: 1 }] }, /unknown gate/]
		];
		for (const [part, message] of bad) expect(() => runModel({ ...nothing, ...part })).toThrow(message);
	});
});
