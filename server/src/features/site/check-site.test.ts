import { describe, expect, it } from 'vitest';
import { checkSite } from './check-site.ts';
import { smallSite } from './small-site.fixture.ts';

type Change = (file: {
	marsad: Record<string, unknown>;
	features: { properties: Record<string, unknown>; geometry: Record<string, unknown> }[];
}) => void;

function faultsAfter(change: Change): string[] {
	const file = structuredClone(smallSite());
	change(file as unknown as Parameters<Change>[0]);
	const checked = checkSite(file);
	return checked.ok ? [] : checked.faults;
}

const set =
	(id: string, changes: Record<string, unknown>): Change =>
	(file) => {
		const found = file.features.find(({ properties }) => properties['id'] === id);
		if (!found) throw new Error(`no ${id} in the small site`);
		Object.assign(found.properties, changes);
	};

describe('the site checker', () => {
	it('takes a sound file', () => expect(checkSite(smallSite())).toMatchObject({ ok: true }));

	it.each<[string, Change, RegExp]>([
		['an unknown kind', set('hall', { kind: 'room' }), /kind "room"; it must be one of zone, gate/],
		['a missing name', set('hall', { name: undefined }), /The zone "hall": .*name/],
		['a wrong time zone', (file) => (file.marsad['timeZone'] = 'Riyadh/Asia'), /no time zone/],
		['the same id twice', set('hall', { id: 'yard' }), /two of the zone "yard"/],
		['a zone nobody may be called', set('hall', { id: 'trend' }), /may not be called "trend"/],
		['feeding nobody', set('yard', { feeds: ['attic'] }), /feeds "attic", which does not exist/],
		['feeding itself', set('yard', { feeds: ['yard'] }), /feeds itself/],
		['a gate into nowhere', set('gate-1', { zone: 'attic' }), /Gate "gate-1" leads to the zone "attic"/],
		[
			'a counter at nowhere',
			set('door-1', { from: 'attic' }),
			/Counter "door-1" names the zone "attic" in "from"/
		],
		['a crossing with one side', set('door-1', { from: 'hall', to: 'hall' }), /two different sides/],
		['people present nowhere', set('camera-1', { to: null }), /needs the zone they stand in/],
		['a reserved device', set('door-1', { device: 'gate' }), /may not be called "gate"/],
		['a device with a slash', set('door-1', { device: 'a/b' }), /small letters, digits/],
		[
			'a camera without a channel',
			set('camera-1', { channel: undefined }),
			/needs the Frigate zone or camera/
		],
		[
			'two counters on one channel',
			set('door-2', { device: 'door-1' }),
			/listen to the same channel of device "door-1"/
		],
		['steps that fall', set('hall', { steps: [step(80), step(60)] }), /must rise: 80, 60/],
		[
			'a crush by capacity',
			set('hall', { areaSquareMetres: 20 }),
			/more than 6 on a square metre is a crush/
		],
		[
			'an emergency above holding',
			set('hall', { capacity: { ...capacity, emergency: 900 } }),
			/emergency capacity above/
		],
		[
			'a date that is none',
			set('hall', { capacity: { ...capacity, signedOn: '2026-13-41' } }),
			/which is no date/
		],
		[
			'a zone nobody counts',
			set('camera-1', { authority: false }),
			/Zone "yard" has no counter with authority/
		],
		[
			'a day that no month has',
			set('hall', { capacity: { ...capacity, signedOn: '2026-02-31' } }),
			/which is no date/
		],
		[
			'a slip of the pen',
			set('hall', { capasity: 3 }),
			/^The zone "hall": holds "capasity", which is not known/
		],
		['one language only', set('hall', { name: { en: 'Hall' } }), /^The zone "hall": "name" lacks "ar"\.$/],
		['a use that is none', set('hall', { use: 'room' }), /"use" is "room"; it must be one of walkway, queue/],
		[
			'an adapter that is none',
			set('door-1', { adapter: 'acme' }),
			/"adapter" is "acme"; it must be one of own/
		],
		['a number in quotes', set('hall', { areaSquareMetres: '9' }), /is "9"; it must be a number/],
		[
			'a capacity of nobody',
			set('hall', { capacity: { ...capacity, holding: 0 } }),
			/is 0; it must be 1 at least/
		],
		['an id in capitals', set('hall', { id: 'Hall 1' }), /is "Hall 1"; it may hold small letters/],
		['another version', (file) => (file.marsad['version'] = 2), /"marsad.version" is 2; it must be 1/],
		['a nameless zone', set('hall', { name: { ar: '', en: 'Hall' } }), /"name.ar" is empty/],
		['a name of blanks', set('hall', { name: { ar: '  ', en: 'Hall' } }), /"hall" has a text that is blank/],
		['a mirrored name', set('hall', { name: { ar: 'رواق', en: '\u202eHall' } }), /<U\+202E>Hall/],
		['a place of nowhere', set('whole', { zones: ['attic'] }), /Place "whole" names the zone "attic"/],
		[
			'a corridor into nowhere',
			set('passage', { to: 'attic' }),
			/Corridor "passage" ends at the zone "attic"/
		],
		[
			'an open outline',
			(file) => (file.features[0]!.geometry['coordinates'] as number[][][])[0]!.pop(),
			/is not closed/
		],
		[
			'an outline off the map',
			(file) => ((file.features[0]!.geometry['coordinates'] as number[][][])[0]![1] = [446_000, 24]),
			/leaves the map/
		]
	])('explains %s', (_, change, sentence) => {
		expect(faultsAfter(change)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
	});

	it.each<[string, Change, RegExp]>([
		[
			'an outline that crosses itself',
			(file) => {
				const ring = (file.features[0]!.geometry['coordinates'] as number[][][])[0]!;
				[ring[1], ring[2]] = [[46.303, 24.898], ring[1]!];
			},
			/zone "hall" crosses itself/
		],
		['an approach from nowhere', set('hall', { approach: ['attic'] }), /approached through "attic"/],
		['a release into nowhere', set('hall', { release: ['attic'] }), /released through "attic"/],
		['a gate before nowhere', set('gate-1', { outside: 'attic' }), /names the zone "attic" as its outside/],
		[
			'a night of too many',
			set('hall', { anchor: { at: '03:00', present: 900 } }),
			/start each night with 900/
		],
		['a hidden hour', set('hall', { anchor: { at: '25:00', present: 0 } }), /"anchor.at"/],
		['a number nobody points at', set('door-1', { adapter: 'generic' }), /needs a "mapping"/],
		['bytes nobody reads', set('door-1', { adapter: 'tts' }), /needs a "decoder"/]
	])('explains %s', (_, change, sentence) => {
		expect(faultsAfter(change)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
	});

	it.each<[string, Change, RegExp]>([
		['two authorities of one door', set('tally', { optional: false }), /both decide the same door/],
		['a gate elsewhere', (file) => moved(file, 'gate-1'), /stands \d+ m from its zone "hall"/],
		['a zone nobody reaches', set('passage', { to: 'court' }), /Nothing leads to zone "yard"/],
		['steps of a zone that is full', set('hall', { steps: [step(110)] }), /steps beyond its capacity/],
		['views that may overlap', set('camera-2', { authority: true }), /seen by 2 counters/],
		['a counter nobody uses', set('door-1', { authority: false }), /decides nothing/],
		['heat under a roof', set('door-1', { measures: 'heat', from: null }), /measures heat in zone "hall"/],
		['a counter that rarely speaks', set('door-1', { periodSeconds: 600 }), /noticed only after 1800 s/],
		[
			'an exit that is held',
			set('gate-1', { direction: 'out', holdSecondsMax: 60, outside: undefined }),
			/"gate-1" leads out: .*"holdSecondsMax" means nothing/
		],
		[
			'zones over each other',
			(file) => (file.features[1]!.geometry['coordinates'] = file.features[0]!.geometry['coordinates']),
			/lie over each other/
		],
		['no way out', () => undefined, /No gate leads out/]
	])('warns of %s, and takes the file', (_, change, sentence) => {
		const file = structuredClone(smallSite());
		change(file as unknown as Parameters<Change>[0]);
		const checked = checkSite(file);
		const warnings = checked.ok ? checked.warnings : [];
		expect(warnings.map(({ en }) => en)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
		for (const { ar } of warnings) expect(ar).toMatch(/[\u0600-\u06ff]/);
	});

	it('never speaks in the words of schemas', () => {
		const file = smallSite();
		const broken = structuredClone(file) as unknown as { features: { properties: object }[] };
		for (const { properties } of broken.features) Object.assign(properties, { name: 5, use: [], extra: 1 });
		const checked = checkSite(broken);
		const said = checked.ok ? [] : checked.findings;
		expect(said.length).toBeGreaterThan(3);
		for (const { ar, en } of said) expect(`${ar} ${en}`).not.toMatch(/schema|constant|propert|anyOf/);
	});

	it('refuses what is no site at all, in a sentence', () => {
		for (const value of [null, 5, {}, { features: [] }, []]) {
			const checked = checkSite(value);
			expect(checked.ok).toBe(false);
			if (!checked.ok) expect(checked.faults[0]).toMatch(/\.$/);
		}
	});

	it('lists the first faults only, and says how many more there are', () => {
		const file = smallSite();
		const many = {
			...file,
			features: Array.from({ length: 80 }, () => ({ ...file.features[0], properties: { kind: '?' } }))
		};
		const checked = checkSite(many);
		expect(checked.ok ? [] : checked.faults).toHaveLength(51);
	});
});

const capacity = {
	holding: 500,
	signedBy: 'Competent person, test site',
	signedOn: '2026-01-15'
};
const step = (percent: number) => ({ percent, action: { ar: 'راقب', en: 'Watch' } });

function moved(file: Parameters<Change>[0], id: string): void {
	const found = file.features.find(({ properties }) => properties['id'] === id);
	if (found) found.geometry['coordinates'] = [46.31, 24.8995];
}

describe('alarm numbers of a site', () => {
	const alarms =
		(settings: Record<string, unknown>): Change =>
		(file) => {
			file.marsad['alarms'] = settings;
		};

	it.each([
		[{ 'zone-crowded': {} }, 'which does not exist; there are zone-step'],
		[{ 'zone-step': { limits: [50] } }, 'has no limits to be set'],
		[{ 'zone-density': { limits: [4] } }, 'has 2 limits, mildest first; the file gives 1'],
		[{ 'zone-density': { limits: [5, 4] } }, 'each one higher than the one before'],
		[{ 'work-ratio': { limits: [0.6, 1] } }, 'each one lower than the one before'],
		[{ 'zone-density': { limits: [3, 4], deadband: 3 } }, 'it would never be over'],
		[{ 'zone-density': { onDelaySeconds: -1 } }, 'marsad.alarms.zone-density.onDelaySeconds'],
		[{ 'zone-density': { delay: 5 } }, 'marsad.alarms.zone-density']
	])('that cannot be meant are explained: %j', (settings, sentence) =>
		expect(faultsAfter(alarms(settings)).join(' ')).toContain(sentence)
	);

	it('are taken where they can be, and a long wait for a crowd is doubted', () => {
		const file = structuredClone(smallSite());
		const own = { 'zone-density': { limits: [3, 4], deadband: 0.2, onDelaySeconds: 300 } };
		alarms(own)(file as unknown as Parameters<Change>[0]);
		const checked = checkSite(file);
		expect(checked.ok && checked.warnings.map(({ en }) => en).join(' ')).toContain('waits 300 seconds');
	});
});

describe('prayer times of a site', () => {
	const prayer =
		(settings: unknown): Change =>
		(file) => {
			file.marsad['prayer'] = settings;
		};
	it.each([
		[{ method: 'guessed' }, 'marsad.prayer.method'],
		[{ at: [200, 21] }, 'marsad.prayer.at'],
		[{ at: [39.8] }, 'marsad.prayer.at']
	])('that cannot be meant are explained: %j', (settings, where) =>
		expect(faultsAfter(prayer(settings)).join(' ')).toContain(where)
	);
	it('are taken where they can be', () => {
		const file = structuredClone(smallSite());
		prayer({ method: 'egyptian', asr: 'hanafi', at: [31.2, 30] })(file as unknown as Parameters<Change>[0]);
		expect(checkSite(file).ok).toBe(true);
	});
});
