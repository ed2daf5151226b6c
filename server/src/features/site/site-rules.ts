import type { CounterProperties, GateProperties, SiteFile, ZoneProperties } from '../../../contract/index.ts';
import { alarmRuleFaults } from './alarm-rules.ts';
import { channelFaults, counterFaults, sourceFaults } from './counter-rules.ts';
import { fault, type Finding } from './finding.ts';
import { crossesItself, ringArea } from './geometry.ts';
import { textFaults } from './name-rules.ts';
import { partsOf } from './site-parts.ts';

/** Names that routes use themselves and that no zone may bear. */
const reservedZoneNames: readonly string[] = ['trend'];
/** More people on a square metre than this have been seen only in crushes. */
const densityMax = 6;
/** Square degrees, a hundredth of a square metre: what is drawn so is a line. */
const noArea = 1e-12;

/** What the parts of a well-formed site file say about each other, as far as it cannot be used so. Pure. */
export function siteRuleFaults(file: SiteFile): Finding[] {
	const { zones, gates, corridors, counters, places } = partsOf(file);
	const zoneIds = new Set(zones.map(({ properties }) => properties.id));
	const gateIds = new Set(gates.map(({ properties }) => properties.id));
	const corridorIds = new Set(corridors.map(({ properties }) => properties.id));
	const ids = { zoneIds, gateIds, corridorIds };
	const properties = counters.map((counter) => counter.properties);
	return [
		...timeZoneFaults(file.marsad.timeZone),
		...duplicateFaults(file),
		...textFaults(file),
		...alarmRuleFaults(file),
		...(zones.length === 0 ? [fault('The site has no zone.', 'ليس في الموقع أي منطقة.')] : []),
		...zones.flatMap((zone) => [
			...ringFaults(zone.properties.id, zone.geometry.coordinates as number[][][]),
			...zoneFaults(zone.properties, zoneIds),
			...wayFaults(zone.properties, ids)
		]),
		...gates.flatMap((gate) => gateFaults(gate.properties, zoneIds)),
		...gates.flatMap((gate) => gateCounterFaults(gate.properties, properties)),
		...properties.flatMap((counter) => counterFaults(counter, zones)),
		...channelFaults(properties),
		...sourceFaults(zones, properties),
		...corridors.flatMap(({ properties: { id, from, to } }) => corridorFaults(id, from, to, zoneIds)),
		...places.flatMap(({ properties: place }) => [
			...place.zones.filter((id) => !zoneIds.has(id)).map((id) => placeFault(place.id, 'zone', id)),
			...place.gates.filter((id) => !gateIds.has(id)).map((id) => placeFault(place.id, 'gate', id))
		])
	];
}

function corridorFaults(id: string, from: string, to: string, zoneIds: ReadonlySet<string>): Finding[] {
	const faults = [from, to]
		.filter((end) => !zoneIds.has(end))
		.map((end) =>
			fault(
				`Corridor "${id}" ends at the zone "${end}", which does not exist.`,
				`الممر "${id}" ينتهي إلى المنطقة "${end}" وهي غير موجودة.`
			)
		);
	if (from === to)
		faults.push(
			fault(`Corridor "${id}" joins "${to}" with itself.`, `الممر "${id}" يصل المنطقة "${to}" بنفسها.`)
		);
	return faults;
}

function placeFault(place: string, kind: 'zone' | 'gate', id: string): Finding {
	return fault(
		`Place "${place}" names the ${kind} "${id}", which does not exist.`,
		`المكان "${place}" يذكر ${kind === 'zone' ? 'المنطقة' : 'البوابة'} "${id}" وهي غير موجودة.`
	);
}

function timeZoneFaults(timeZone: string): Finding[] {
	try {
		new Intl.DateTimeFormat('en', { timeZone });
		return [];
	} catch {
		return [
			fault(
				`"${timeZone}" is no time zone; write it as in "Asia/Riyadh".`,
				`"${timeZone}" ليست منطقة زمنية؛ اكتبها مثل "Asia/Riyadh".`
			)
		];
	}
}

function duplicateFaults(file: SiteFile): Finding[] {
	const seen = new Set<string>();
	const faults: Finding[] = [];
	for (const { properties } of file.features) {
		const key = `${properties.kind} "${properties.id}"`;
		if (seen.has(key))
			faults.push(
				fault(
					`There are two of the ${key}: every id is used once.`,
					`المعرّف "${properties.id}" مكرر: كل معرّف يُستعمل مرة واحدة.`
				)
			);
		seen.add(key);
	}
	return faults;
}

function ringFaults(id: string, rings: number[][][]): Finding[] {
	const faults: Finding[] = [];
	for (const ring of rings) {
		const [first, last] = [ring[0], ring.at(-1)];
		if (!first || !last || first[0] !== last[0] || first[1] !== last[1])
			faults.push(
				fault(
					`The outline of zone "${id}" is not closed: its last point must repeat its first.`,
					`حدّ المنطقة "${id}" غير مغلق: يجب أن تكرر آخرُ نقطة أولَ نقطة.`
				)
			);
		else if (ringArea(ring) < noArea)
			faults.push(fault(`The outline of zone "${id}" has no area.`, `حدّ المنطقة "${id}" بلا مساحة.`));
		else if (crossesItself(ring))
			faults.push(
				fault(
					`The outline of zone "${id}" crosses itself: two of its sides meet where they should not.`,
					`حدّ المنطقة "${id}" يقطع نفسه: ضلعان منه يتقاطعان في غير موضعهما.`
				)
			);
		if (ring.some(([east = NaN, north = NaN]) => !(Math.abs(east) <= 180 && Math.abs(north) <= 85)))
			faults.push(
				fault(
					`The outline of zone "${id}" leaves the map: points are [longitude, latitude] in degrees.`,
					`حدّ المنطقة "${id}" يخرج عن الخريطة: النقاط [خط الطول، خط العرض] بالدرجات.`
				)
			);
	}
	return faults;
}

function zoneFaults(zone: ZoneProperties, zoneIds: ReadonlySet<string>): Finding[] {
	const faults: Finding[] = [];
	const { id } = zone;
	if (reservedZoneNames.includes(id))
		faults.push(
			fault(
				`A zone may not be called "${id}": an address uses that name.`,
				`لا يجوز أن تُسمّى منطقة "${id}" لأن عنوانًا يستعمل هذا الاسم.`
			)
		);
	for (const fed of zone.feeds ?? []) {
		if (!zoneIds.has(fed))
			faults.push(
				fault(
					`Zone "${id}" feeds "${fed}", which does not exist.`,
					`المنطقة "${id}" تغذّي "${fed}" وهي غير موجودة.`
				)
			);
		if (fed === id) faults.push(fault(`Zone "${id}" feeds itself.`, `المنطقة "${id}" تغذّي نفسها.`));
	}
	const percents = (zone.steps ?? []).map(({ percent }) => percent);
	if (percents.some((percent, index) => index > 0 && percent <= (percents[index - 1] ?? 0)))
		faults.push(
			fault(
				`The steps of zone "${id}" must rise: ${percents.join(', ')} does not.`,
				`يجب أن تتصاعد درجات المنطقة "${id}"، وهذه لا تتصاعد: ${percents.join('، ')}.`
			)
		);
	return [...faults, ...capacityFaults(zone)];
}

function capacityFaults({ id, capacity, areaSquareMetres: area, anchor }: ZoneProperties): Finding[] {
	const faults: Finding[] = [];
	if (capacity.emergency !== undefined && capacity.emergency > capacity.holding)
		faults.push(
			fault(
				`Zone "${id}" has an emergency capacity above what it holds.`,
				`سعة الطوارئ للمنطقة "${id}" أكبر مما تحمله.`
			)
		);
	if (area !== undefined && capacity.holding / area > densityMax)
		faults.push(
			fault(
				`Zone "${id}" holds ${capacity.holding} people on ${area} m²: more than ${densityMax} on a square metre is a crush.`,
				`المنطقة "${id}" تحمل ${capacity.holding} على ${area} م²: ما زاد على ${densityMax} في المتر المربع تدافعٌ.`
			)
		);
	if (!isDate(capacity.signedOn))
		faults.push(
			fault(
				`The capacity of zone "${id}" was signed on "${capacity.signedOn}", which is no date.`,
				`سعة المنطقة "${id}" موقّعة بتاريخ "${capacity.signedOn}" وليس تاريخًا.`
			)
		);
	if (anchor && anchor.present > capacity.holding)
		faults.push(
			fault(
				`Zone "${id}" would start each night with ${anchor.present} people, and holds ${capacity.holding}.`,
				`المنطقة "${id}" تبدأ كل ليلة بعدد ${anchor.present} وهي لا تحمل إلا ${capacity.holding}.`
			)
		);
	return faults;
}

/** Approaches and releases lead along what exists. */
function wayFaults(
	{ id, approach = [], release = [] }: ZoneProperties,
	ids: { zoneIds: ReadonlySet<string>; gateIds: ReadonlySet<string>; corridorIds: ReadonlySet<string> }
): Finding[] {
	const { zoneIds, gateIds, corridorIds } = ids;
	return [
		...approach
			.filter((way) => !zoneIds.has(way) && !corridorIds.has(way))
			.map((way) =>
				fault(
					`Zone "${id}" is approached through "${way}", which is no zone and no corridor.`,
					`المنطقة "${id}" يُقترب منها عبر "${way}" وليس منطقة ولا ممرًا.`
				)
			),
		...release
			.filter((way) => !gateIds.has(way) && !corridorIds.has(way))
			.map((way) =>
				fault(
					`Zone "${id}" is released through "${way}", which is no gate and no corridor.`,
					`المنطقة "${id}" تُخلى عبر "${way}" وليس بوابة ولا ممرًا.`
				)
			)
	];
}

/** A day of the calendar: the parser alone takes the 31st of February for one in March. */
function isDate(text: string): boolean {
	const moment = new Date(text);
	return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

function gateFaults(gate: GateProperties, zoneIds: ReadonlySet<string>): Finding[] {
	const faults: Finding[] = [];
	if (!zoneIds.has(gate.zone))
		faults.push(
			fault(
				`Gate "${gate.id}" leads to the zone "${gate.zone}", which does not exist.`,
				`البوابة "${gate.id}" تؤدي إلى المنطقة "${gate.zone}" وهي غير موجودة.`
			)
		);
	if (gate.outside !== undefined && !zoneIds.has(gate.outside))
		faults.push(
			fault(
				`Gate "${gate.id}" names the zone "${gate.outside}" as its outside, which does not exist.`,
				`البوابة "${gate.id}" تذكر أمامها المنطقة "${gate.outside}" وهي غير موجودة.`
			)
		);
	if (gate.outside === gate.zone)
		faults.push(
			fault(
				`Gate "${gate.id}" has the same zone in front of it and behind it.`,
				`البوابة "${gate.id}" أمامها وخلفها المنطقة نفسها.`
			)
		);
	return faults;
}

/** What is scanned and what is counted at a gate are held against each other, and one of them decides. */
function gateCounterFaults(gate: GateProperties, counters: readonly CounterProperties[]): Finding[] {
	const named = [...(gate.scans === undefined ? [] : [gate.scans]), ...(gate.counters ?? [])];
	const found = named.map((id) => ({ id, counter: counters.find((one) => one.id === id) }));
	const faults = found
		.filter(({ counter }) => counter?.measures !== 'crossing')
		.map(({ id }) =>
			fault(
				`Gate "${gate.id}" names the counter "${id}", which is none that counts people over a boundary.`,
				`البوابة "${gate.id}" تذكر العدّاد "${id}" وليس عدّاداً يعدّ العابرين.`
			)
		);
	const decides = (id: string) => counters.some((one) => one.id === id && one.authority && !one.optional);
	const both = gate.scans !== undefined && decides(gate.scans) && (gate.counters ?? []).some(decides);
	if (!both) return faults;
	return [
		...faults,
		fault(
			`At gate "${gate.id}" both the scans and the doors have authority: everybody is counted twice. Give one of them "authority": false.`,
			`عند البوابة "${gate.id}" المسح والأبواب مرجعان معاً، فيُعدّ كل شخص مرتين. اجعل لأحدهما "authority": false.`
		)
	];
}
