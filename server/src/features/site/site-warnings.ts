import type { CounterProperties, SiteFile } from '../../../contract/index.ts';
import { alarmRuleWarnings } from './alarm-rules.ts';
import { warning, type Finding } from './finding.ts';
import { contains, createProjection, distanceToLine, labelPoint, type Point } from './geometry.ts';
import { partsOf } from './site-parts.ts';

type Parts = ReturnType<typeof partsOf>;
type Project = (position: readonly number[]) => Point;

/** A gate farther from its zone's outline than this hangs somewhere else. */
const gateMetresMax = 50;
/** Two counters nearer to each other than this hang at the same door. */
const sameDoorMetres = 1;
/** A counter with a longer period is missed only after more than a minute. */
const periodSecondsMax = 20;

/** What can be used and is probably not meant so. For a file without faults. Pure. */
export function siteWarnings(file: SiteFile): Finding[] {
	const parts = partsOf(file);
	const corners = parts.zones.flatMap(({ geometry }) => geometry.coordinates.flat());
	const { project } = createProjection(corners);
	return [
		...parts.gates.flatMap((gate) => gateWarnings(gate, parts, project)),
		...parts.gates.flatMap(({ properties }) => exitWarnings(properties)),
		...unreachable(parts),
		...overlaps(parts, project),
		...alarmRuleWarnings(file),
		...parts.zones.flatMap(({ properties }) => zoneWarnings(properties, parts)),
		...sameDoor(parts, project),
		...parts.counters.flatMap(({ properties }) => counterWarnings(properties, parts)),
		...(parts.gates.length > 0 && parts.gates.every(({ properties }) => properties.direction === 'in')
			? [warning('No gate leads out of the site.', 'لا بوابة للخروج من الموقع.')]
			: [])
	];
}

function gateWarnings(
	{ properties, geometry }: Parts['gates'][number],
	parts: Parts,
	project: Project
): Finding[] {
	const zone = parts.zones.find((other) => other.properties.id === properties.zone);
	const outline = zone?.geometry.coordinates[0]?.map(project);
	if (!outline) return [];
	const point = project(geometry.coordinates);
	if (contains(outline, point) || distanceToLine(outline, point) <= gateMetresMax) return [];
	const metres = Math.round(distanceToLine(outline, point));
	return [
		warning(
			`Gate "${properties.id}" stands ${metres} m from its zone "${properties.zone}".`,
			`البوابة "${properties.id}" تبعد ${metres} م عن منطقتها "${properties.zone}".`
		)
	];
}

/** An exit is never held: what the file says of holding it means nothing. */
function exitWarnings(gate: Parts['gates'][number]['properties']): Finding[] {
	const keys = (['holdSecondsMax', 'reopenSteps', 'outside'] as const).filter(
		(key) => gate[key] !== undefined
	);
	if (gate.direction === 'in' || keys.length === 0) return [];
	const listed = keys.map((key) => `"${key}"`);
	return [
		warning(
			`Gate "${gate.id}" leads out: an exit is never held, so its ${listed.join(' and ')} means nothing.`,
			`البوابة "${gate.id}" للخروج ولا يُوقف مخرجٌ أبدًا، فلا معنى فيها لـ ${listed.join(' و')}.`
		)
	];
}

/** Zones of one floor of which one lies over the middle of the other: their people would be shown in one place. */
function overlaps({ zones }: Parts, project: Project): Finding[] {
	const drawn = zones.map(({ properties, geometry }) => {
		const rings = geometry.coordinates.map((ring) => ring.map(project));
		const [outline = [], ...holes] = rings;
		return { id: properties.id, floor: properties.floor ?? 0, outline, holes, middle: labelPoint(outline) };
	});
	const covers = (one: (typeof drawn)[number], point: Point) =>
		contains(one.outline, point) && !one.holes.some((hole) => contains(hole, point));
	return drawn.flatMap((one, index) =>
		drawn
			.slice(index + 1)
			.filter((other) => other.floor === one.floor)
			.filter((other) => covers(one, other.middle) || covers(other, one.middle))
			.map((other) =>
				warning(
					`Zones "${one.id}" and "${other.id}" lie over each other: give them their own outlines, or a "floor" each.`,
					`المنطقتان "${one.id}" و"${other.id}" متراكبتان: اجعل لكل منهما حدودها، أو طابقًا "floor".`
				)
			)
	);
}

/** Zones to which nothing leads from outside: no gate, no counted door, no corridor, no feed. */
function unreachable({ zones, gates, corridors, counters }: Parts): Finding[] {
	const ways = new Map<string, string[]>();
	const join = (from: string, to: string) => void ways.set(from, [...(ways.get(from) ?? []), to]);
	const reached = new Set(gates.map(({ properties }) => properties.zone));
	for (const { properties } of zones) for (const fed of properties.feeds ?? []) join(properties.id, fed);
	for (const { properties: corridor } of corridors) {
		join(corridor.from, corridor.to);
		join(corridor.to, corridor.from);
	}
	for (const {
		properties: { measures, from, to }
	} of counters) {
		if (measures !== 'crossing') continue;
		if (from !== null && to !== null) {
			join(from, to);
			join(to, from);
		} else if (from ?? to) reached.add((from ?? to) as string);
	}
	for (const zone of reached) for (const next of ways.get(zone) ?? []) reached.add(next);
	return zones
		.filter(({ properties }) => !reached.has(properties.id))
		.map(({ properties: { id } }) =>
			warning(
				`Nothing leads to zone "${id}": no gate, no counted door, no corridor, no zone that feeds it.`,
				`لا شيء يؤدي إلى المنطقة "${id}": لا بوابة ولا باب معدود ولا ممر ولا منطقة تغذّيها.`
			)
		);
}

function zoneWarnings(zone: Parts['zones'][number]['properties'], { counters }: Parts): Finding[] {
	const { id, steps = [], sourcePolicy, anchor } = zone;
	const findings: Finding[] = [];
	const beyond = steps.filter(({ percent }) => percent > 100);
	if (beyond.length > 0)
		findings.push(
			warning(
				`Zone "${id}" has steps beyond its capacity (${beyond.map(({ percent }) => percent).join(', ')} %): it is full before.`,
				`للمنطقة "${id}" درجات فوق سعتها (${beyond.map(({ percent }) => percent).join('، ')} ٪)، وهي تمتلئ قبلها.`
			)
		);
	const own = counters.map(({ properties }) => properties).filter(({ authority }) => authority);
	const views = own.filter(
		({ measures, to }) => (measures === 'present' || measures === 'density') && to === id
	);
	if (views.length > 1 && sourcePolicy === undefined)
		findings.push(
			warning(
				`Zone "${id}" is seen by ${views.length} counters: say with "sourcePolicy" whether their views are apart (sum) or overlap (max); now they are added.`,
				`المنطقة "${id}" يراها ${views.length} عدّادات: بيّن في "sourcePolicy" هل مجالاتها منفصلة (sum) أم متداخلة (max)؛ الآن تُجمع.`
			)
		);
	const byDoors = views.length === 0;
	if (anchor && !byDoors)
		findings.push(
			warning(
				`Zone "${id}" has a nightly anchor and is seen from inside: the anchor only checks its doors.`,
				`للمنطقة "${id}" مرساة ليلية وهي مرئية من الداخل، فلا تفيد المرساة إلا في فحص أبوابها.`
			)
		);
	return findings;
}

/** One boundary has one counting authority: two counters at the same door count everybody twice. */
function sameDoor({ counters }: Parts, project: Project): Finding[] {
	const doors = counters
		.filter(({ properties: p }) => p.measures === 'crossing' && p.authority && !p.optional)
		.map(({ properties, geometry }) => ({ ...properties, point: project(geometry.coordinates) }));
	const bySides = Map.groupBy(doors, ({ from, to }) => [from ?? '', to ?? ''].sort().join('\n'));
	const findings: Finding[] = [];
	for (const group of bySides.values())
		for (const [index, one] of group.entries())
			for (const other of group.slice(index + 1)) {
				if (Math.hypot(one.point[0] - other.point[0], one.point[1] - other.point[1]) > sameDoorMetres)
					continue;
				findings.push(
					warning(
						`Counters "${one.id}" and "${other.id}" both decide the same door: everybody is counted twice. Give one of them "authority": false.`,
						`العدّادان "${one.id}" و"${other.id}" مرجعان لباب واحد، فيُعدّ كل شخص مرتين. اجعل لأحدهما "authority": false.`
					)
				);
			}
	return findings;
}

function counterWarnings(counter: CounterProperties, { zones }: Parts): Finding[] {
	const { id, measures, authority, periodSeconds, optional } = counter;
	const findings: Finding[] = [];
	if (measures === 'crossing' && !authority)
		findings.push(
			warning(
				`Counter "${id}" decides nothing: it crosses a boundary without authority, and no zone uses it.`,
				`العدّاد "${id}" لا يقرّر شيئًا: عبورٌ بلا مرجعية لا تستعمله أي منطقة.`
			)
		);
	const zone = zones.find(({ properties }) => properties.id === counter.to)?.properties;
	if (measures === 'heat' && zone && !zone.openAir)
		findings.push(
			warning(
				`Counter "${id}" measures heat in zone "${zone.id}", which is not said to be under the sky ("openAir").`,
				`العدّاد "${id}" يقيس الحرارة في المنطقة "${zone.id}" ولم يُذكر أنها مكشوفة ("openAir").`
			)
		);
	if (authority && !optional && measures !== 'heat' && periodSeconds > periodSecondsMax)
		findings.push(
			warning(
				`Counter "${id}" speaks every ${periodSeconds} s: its silence is noticed only after ${3 * periodSeconds} s.`,
				`العدّاد "${id}" يتكلم كل ${periodSeconds} ث، فلا يُلاحظ صمته إلا بعد ${3 * periodSeconds} ث.`
			)
		);
	return findings;
}
