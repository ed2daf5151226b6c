import type { Agency, DispatchStateName, LocalText, StateSheet } from '../../../contract/index.ts';
import { sheetWords as words } from './sheet-words.ts';

type Language = 'ar' | 'en';

/**
 * A state sheet as one plain page in both languages, Arabic first: it needs no server, no script and no network, and
 * prints in black.
 */
export function renderStateSheet(sheet: StateSheet): string {
	const title = `${sheet.site.ar} · ${sheet.site.en}`;
	return [
		'<!doctype html>',
		`<html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>${escape(title)}</title><style>${style}</style></head><body>`,
		renderHalf(sheet, 'ar'),
		renderHalf(sheet, 'en'),
		'</body></html>',
		''
	].join('\n');
}

const style = [
	'body{font:14px/1.5 system-ui,sans-serif;margin:12mm;color:#000;background:#fff}',
	'section{break-after:page}table{border-collapse:collapse;width:100%;margin:0 0 6mm}',
	'th,td{border:1px solid #555;padding:1mm 2mm;text-align:start;vertical-align:top}',
	'h1{font-size:20px;margin:0}h2{font-size:16px;margin:4mm 0 1mm}.bad{font-weight:700;border:2px dashed #000}'
].join('');

function renderHalf(sheet: StateSheet, language: Language): string {
	const say = (text: LocalText) => escape(text[language]);
	const time = (at: number | null) => (at === null ? '—' : `<bdi>${clock(at, sheet.timeZone)}</bdi>`);
	const people = (count: number | null) => (count === null ? say(words.unknown) : `<bdi>${count}</bdi>`);
	const table = (title: LocalText, heads: readonly LocalText[], rows: readonly string[][]) =>
		`<h2>${say(title)}</h2>` +
		(rows.length === 0
			? `<p>${say(words.none)}</p>`
			: `<table><thead><tr>${heads.map((head) => `<th>${say(head)}</th>`).join('')}</tr></thead><tbody>` +
				rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('') +
				'</tbody></table>');
	const mark = sheet.mark === 'none' ? '' : ` · <b>${say(words.marks[sheet.mark])}</b>`;
	const { level } = sheet;
	const drill = level.exercise ? ` · <b>${say(words.marks.exercise)}</b>` : '';
	const names = new Map(sheet.teams.map((team) => [team.id, team.names]));
	const zones = new Map(sheet.zones.map((zone) => [zone.id, zone.names]));
	const zoneName = (zone: string | null) =>
		zone === null ? say(words.unknown) : escape(zones.get(zone)?.[language] ?? zone);
	return [
		`<section lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`,
		`<h1>${say(words.title)} · ${say(sheet.site)}</h1>`,
		`<p><bdi>${day(sheet.at, sheet.timeZone)}</bdi> ${time(sheet.at)}${mark} · ${say(words.level)} <bdi>${level.level}</bdi> ${say(level.name)}${drill}</p>`,
		table(
			words.zones,
			[words.zone, words.present, words.capacity, words.quality, words.step],
			sheet.zones.map((zone) => [
				say(zone.names),
				zone.present === null
					? `<span class="bad">${say(words.unknown)}</span> ${say(words.last)} ${people(zone.lastKnown?.present ?? null)} ${time(zone.lastKnown?.at ?? null)} · ${say(words.worst)} ${people(zone.worst)}`
					: people(zone.present),
				people(zone.capacity),
				say(words.qualities[zone.quality]),
				zone.step ? say(zone.step) : '—'
			])
		),
		table(
			words.gates,
			[words.gate, words.state, words.since, words.confirmed],
			sheet.gates.map((gate) => [
				say(gate.names),
				say(
					words.gateStates[gate.state as keyof typeof words.gateStates] ?? { ar: gate.state, en: gate.state }
				),
				time(gate.since),
				say(gate.confirmed ? words.yes : words.no)
			])
		),
		table(
			words.alarms,
			[words.priority, words.alarm, words.since],
			sheet.alarms.map((alarm) => [
				say(
					words.priorities[alarm.priority as keyof typeof words.priorities] ?? {
						ar: alarm.priority,
						en: alarm.priority
					}
				),
				say(alarm.title) + (alarm.shelvedUntil ? ` · ${say(words.shelved)} ${time(alarm.shelvedUntil)}` : ''),
				time(alarm.raisedAt)
			])
		),
		table(
			words.incidents,
			[words.kind, words.place, words.since, words.told],
			sheet.incidents.map((incident) => [
				say(words.kinds[incident.kind]),
				say(incident.place.names) + (incident.place.spot ? ` · ${escape(incident.place.spot)}` : ''),
				time(incident.openedAt),
				incident.told
					.map(({ agency, at }) => `${say(words.agencies[agency as Agency])} ${time(at)}`)
					.join(language === 'ar' ? '، ' : ', ') || '—'
			])
		),
		table(
			words.dispatches,
			[words.team, words.task, words.place, words.state, words.channel, words.phone],
			sheet.dispatches.map((order) => [
				say(order.teamNames),
				escape(order.task),
				say(order.place.names),
				`${say(words.states[order.state as DispatchStateName])} ${time(order.steps.at(-1)?.at ?? null)}`,
				`<bdi>${escape(order.channel)}</bdi>`,
				`<bdi>${escape(order.phone)}</bdi>`
			])
		),
		table(
			words.teams,
			[words.team, words.state, words.place, words.channel, words.phone],
			sheet.teams.map((team) => [
				say(names.get(team.id) ?? team.names),
				say(words.teamStates[team.state]),
				team.place.quality === 'unknown'
					? say(words.unknown)
					: `${zoneName(team.place.zone)} ${time(team.place.at)}`,
				`<bdi>${escape(team.channel)}</bdi>`,
				`<bdi>${escape(team.phone)}</bdi>`
			])
		),
		'</section>'
	].join('\n');
}

function escape(text: string): string {
	return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function clock(at: number, timeZone: string): string {
	return new Intl.DateTimeFormat('en-GB', {
		...{ timeZone, hour: '2-digit', minute: '2-digit' },
		hourCycle: 'h23'
	}).format(at);
}

/** The Gregorian day, said as such in both languages: a sheet without a date is worth nothing. */
function day(at: number, timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', { timeZone, dateStyle: 'short' }).format(at);
}
