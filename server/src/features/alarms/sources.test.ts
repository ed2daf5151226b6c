import { describe, expect, it } from 'vitest';
import type { AlarmSettings, SensorState, Zone } from '../../../contract/index.ts';
import { createSite } from '../site/index.ts';
import { createRefusalRate } from './device-sources.ts';
import { pointKey, type Condition } from './model.ts';
import { numbersOf } from './rule-numbers.ts';
import { isPast, readSources, type PartFigures, type Sources } from './sources.ts';

const { site } = createSite({});
const own = site.zones.get('core')!;
const now = 1_000_000_000;

const core = (more: Partial<Zone> = {}): Zone =>
	({
		...{ id: 'core', name: 'Core', names: own.names, present: 1_000, capacity: own.capacity, mark: 'none' },
		...{ occupancy: 0.1, density: 0.5, quality: 'live', at: now, ageSeconds: 0, step: null, drift: false },
		...{ sources: { heard: 4, expected: 4 }, timeToCapacity: null, netInflowPerMinute: 0, lastKnown: null },
		...{ worstCase: null, disagreement: null, heat: null, assumedFullAt: null, hints: [], upstream: [] },
		...more
	}) as Zone;
const device = (id: string, more: Partial<SensorState> = {}): SensorState =>
	({
		...{ device: id, adapter: 'own', counters: [id], zones: ['core'], state: 'online', heard: 1, hints: [] },
		...{
			optional: false,
			ageSeconds: 1,
			rejects: {},
			missed: 0,
			clockOffsetMs: 5,
			clock: 'good',
			simulated: false
		},
		...more
	}) as SensorState;
const healthy: PartFigures = {
	...{ databaseMs: 3, brokerConnected: true, counting: true, workRatio: 1, bookingP95Seconds: 0.2 }
};

function read(
	given: {
		zones?: Zone[];
		devices?: SensorState[];
		parts?: Partial<PartFigures>;
		settings?: AlarmSettings;
		site?: typeof site;
	},
	options: { held?: Record<string, number>; startedAt?: number } = {}
) {
	const sources: Sources = {
		site: given.site ?? site,
		zones: () => given.zones ?? [],
		gates: () => [],
		devices: () => given.devices ?? [],
		parts: () => ({ ...healthy, ...given.parts }),
		numbers: numbersOf(given.settings)
	};
	const conditions = readSources(sources, (key) => options.held?.[key] ?? 0, {
		...{ now, startedAt: options.startedAt ?? 0, refusedPerMinute: () => 0 }
	});
	return (definition: string, id = 'core'): Condition =>
		conditions.find((one) => one.definition === definition && one.id === id)!;
}
const stepAt = (percent: number, why = 'occupancy') => ({
	...{ ...own.steps.find((step) => step.percent === percent)!, why }
});
const levelOfStep = (percent: number) => own.steps.findIndex((step) => step.percent === percent) + 1;
const stepKey = pointKey({ definition: 'zone-step', kind: 'zone', id: 'core' });

describe('what zones say to the rules', () => {
	it('says one step a zone, the highest in force, with its written action and the priority of its share', () => {
		const of = read({ zones: [core({ occupancy: 0.96, step: stepAt(95) as Zone['step'] })] });
		const step = of('zone-step');
		expect(step).toMatchObject({ level: levelOfStep(95), value: 96, limit: 95 });
		expect(step.priorities?.[step.level! - 1]).toBe('critical');
		expect(step.action).toEqual(stepAt(95).action);
	});

	it('leaves a step by three points, and never by silence', () => {
		const level = levelOfStep(85);
		const held = { [stepKey]: level };
		const at = (occupancy: number, step: number | null = null, more: Partial<Zone> = {}) =>
			read(
				{
					zones: [core({ occupancy, step: step === null ? null : (stepAt(step) as Zone['step']), ...more })]
				},
				{ held }
			)('zone-step').level;
		expect(at(0.83, 75)).toBe(level);
		expect(at(0.819, 75)).toBe(levelOfStep(75));
		for (const quality of ['stale', 'unknown'] as const) expect(at(0, null, { quality })).toBe(null);
	});

	it('explains a step by what it stands for', () => {
		const step = { ...stepAt(90, 'time'), timeToCapacitySeconds: 300 } as unknown as Zone['step'];
		const zone = core({
			occupancy: 0.684,
			step,
			timeToCapacity: { fromSeconds: 200, toSeconds: 400, since: now }
		});
		expect(read({ zones: [zone] })('zone-step')).toMatchObject({ value: 200, unit: 'seconds' });
	});

	it('rings for a zone that nobody counts by how full it was, after the first minute', () => {
		const silent = (people: number | null) =>
			core({
				...{ quality: 'unknown', occupancy: null, present: null },
				worstCase: people === null ? null : { low: 0, high: people }
			});
		const level = (people: number | null, startedAt = 0) =>
			read({ zones: [silent(people)] }, { startedAt })('zone-silent').level;
		const share = (part: number) => Math.ceil(own.capacity * part);
		expect([share(0.1), share(0.6), share(0.85), share(0.95)].map((people) => level(people))).toEqual([
			1, 2, 3, 4
		]);
		expect(level(null)).toBe(2);
		expect(level(share(0.95), now - 59_000)).toBe(null);
		expect(read({ zones: [core()] })('zone-silent').level).toBe(0);
		// Without counted doors the worst case is always a full zone: there its last fill decides.
		const doorless = new Map([...site.counters].filter(([, { measures }]) => measures !== 'crossing'));
		const dead = { ...silent(own.capacity), lastKnown: { present: share(0.6), at: 1 } };
		expect(read({ zones: [dead] })('zone-silent').level).toBe(4);
		expect(read({ zones: [dead], site: { ...site, counters: doorless } })('zone-silent').level).toBe(2);
		expect(read({ zones: [core({ quality: 'stale' })] })('zone-silent').level).toBe(null);
	});

	it('rings when it fills sooner than its feed can be closed, and goes on counting down while nobody hears', () => {
		const fills = (more: Partial<Zone>) => read({ zones: [core(more)] })('zone-fills').level;
		const within = (fromSeconds: number) => ({
			timeToCapacity: { fromSeconds, toSeconds: 9_999, since: now }
		});
		expect([fills(within(own.closeSeconds - 1)), fills(within(own.closeSeconds + 1)), fills({})]).toEqual([
			1, 0, 0
		]);
		const blind = (seconds: number) =>
			fills({ quality: 'unknown', assumedFullAt: now + seconds * 1_000, ...within(9_000) });
		expect([blind(9_000), blind(own.closeSeconds), blind(-500)]).toEqual([null, 1, 1]);
	});

	it('goes by the limits and deadbands of the site where it sets some', () => {
		const settings = { 'zone-density': { limits: [3, 3.5], deadband: 1 }, 'zone-step': { deadband: 10 } };
		const density = (value: number, held = 0) =>
			read(
				{ zones: [core({ density: value })], settings },
				{ held: { [pointKey({ definition: 'zone-density', kind: 'zone', id: 'core' })]: held } }
			)('zone-density').level;
		expect([density(2.9), density(3.1), density(3.6), density(2.6, 2), density(1.9, 2)]).toEqual([
			0, 1, 2, 2, 0
		]);
		const near = core({ occupancy: 0.53 });
		const step = (more: object) =>
			read({ zones: [near], ...more }, { held: { [stepKey]: levelOfStep(60) } })('zone-step').level;
		expect([step({}), step({ settings })]).toEqual([0, levelOfStep(60)]);
	});

	it('knows what left the site file', () => {
		const sources = { site } as Sources;
		expect(isPast({ definition: 'zone-step', kind: 'zone', id: 'core' }, sources)).toBe(false);
		expect(isPast({ definition: 'zone-step', kind: 'zone', id: 'gone' }, sources)).toBe(true);
		expect(isPast({ definition: 'database', kind: 'part', id: 'database' }, sources)).toBe(false);
	});
});

describe('what devices and parts say to the rules', () => {
	const gone = (id: string, more: Partial<SensorState> = {}) =>
		device(id, { state: 'stale', heard: 0, ...more });

	it('misses a device, but not one that counts only when it speaks, nor in the first minute', () => {
		const of = (one: SensorState, startedAt = 0) =>
			read({ zones: [core()], devices: [one] }, { startedAt })('device-gone', 'cam').level;
		expect([of(gone('cam')), of(gone('cam', { optional: true })), of(device('cam'))]).toEqual([1, 0, 0]);
		expect(of(gone('cam'), now - 1_000)).toBe(null);
		const never = gone('cam', { state: 'never' });
		expect([of(never, now - 179_000), of(never, now - 180_000)]).toEqual([null, 1]);
	});

	it('makes one alarm of one cause: a zone, a bridge, a broker', () => {
		const many = ['a', 'b', 'c', 'd'].map((id) => gone(id));
		const of = read({ zones: [core()], devices: many });
		expect(of('zone-partial')).toMatchObject({ level: 1, value: 4 });
		expect(of('device-gone', 'a').suppressed).toBeTruthy();
		const few = read({ zones: [core()], devices: many.slice(0, 3) });
		expect([few('zone-partial').level, few('device-gone', 'a').suppressed]).toEqual([0, null]);
		const blind = read({ zones: [core({ quality: 'unknown' })], devices: many });
		expect([blind('zone-partial').level, blind('device-gone', 'a').suppressed !== null]).toEqual([
			null,
			true
		]);
		const away = read({ zones: [core()], devices: [gone('a')], parts: { brokerConnected: false } });
		expect([away('broker', 'broker').level, away('device-gone', 'a').suppressed !== null]).toEqual([1, true]);
	});

	it('rings for a bad clock, a suspect counter and many refusals in a minute, not for daily life', () => {
		const of = (more: Partial<SensorState>, definition: string) =>
			read({ devices: [device('cam', more)] })(definition, 'cam').level;
		expect([
			of({ clockOffsetMs: -61_000 }, 'device-clock'),
			of({ clockOffsetMs: 40_000 }, 'device-clock')
		]).toEqual([1, 0]);
		expect([of({ clock: 'bad' }, 'device-clock'), of({ clockOffsetMs: null }, 'device-clock')]).toEqual([
			1,
			null
		]);
		const hint = (kind: string) => ({
			hints: [{ counter: 'cam', kind, since: now }] as SensorState['hints']
		});
		expect([of(hint('direction-suspect'), 'counter-suspect'), of(hint('held'), 'counter-suspect')]).toEqual([
			1, 0
		]);
		const rate = createRefusalRate();
		const at = (second: number, rejects: Record<string, number>) =>
			rate(device('cam', { rejects }), now + second * 1_000);
		expect(at(0, { bad_json: 5 })).toBe(null);
		expect(at(60, { bad_json: 105, duplicate: 5_000 })).toBe(100);
		expect(at(61, { bad_json: 0 })).toBe(null);
	});

	it('says no figure where there is none, and below one is below one', () => {
		const of = (parts: Partial<PartFigures>, definition: string) =>
			read({ parts })(definition, definition).level;
		expect([1, 0.99, 0.6, 0.59, null].map((workRatio) => of({ workRatio }, 'work-ratio'))).toEqual([
			0,
			1,
			1,
			2,
			null
		]);
		expect([1.9, 2, null].map((bookingP95Seconds) => of({ bookingP95Seconds }, 'booking-slow'))).toEqual([
			0,
			1,
			null
		]);
		expect([3, 1_000, 5_000].map((databaseMs) => of({ databaseMs }, 'database'))).toEqual([0, 1, 2]);
		expect([true, false, null].map((counting) => of({ counting }, 'counting'))).toEqual([0, 1, null]);
	});
});
