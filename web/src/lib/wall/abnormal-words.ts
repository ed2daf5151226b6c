import { m } from '#lib/paraglide/messages.js';
import { isolate, type Format } from '#lib/format.ts';
import { saidFull, saidLastHeard, saidShare } from '#lib/plan/zone-words.ts';
import { fullOf } from '#lib/plan/zone-full.ts';
import { viewZone } from '#lib/plan/zone-view.ts';
import { calmDuration, partWord } from '#lib/words.ts';
import type { Abnormal } from './abnormal.ts';
import { p95LimitMs, tellingSeconds } from './figures.ts';

/** What is said of something abnormal: a title for the wall and up to two lines. */
export interface Said {
	title: string;
	lines: string[];
	href: string;
}

const seconds = (ms: number, format: Format) => isolate(`${format.secondsOf(ms)} ${m.unit_seconds()}`);

/** Puts an abnormal thing in words. */
export function sayAbnormal(item: Abnormal, format: Format, now: number): Said {
	const locale = format.locale;
	switch (item.kind) {
		case 'link':
			return {
				title: m.abn_link(),
				lines: [m.abn_link_line({ time: isolate(format.clock(item.since)) })],
				href: '/control'
			};
		case 'zone':
		case 'zone-unknown':
		case 'zone-wrong':
			return sayZone(item, format);
		case 'work': {
			const ratio = isolate(format.ratio(item.ratio));
			const line =
				item.belowSeconds < tellingSeconds
					? m.abn_work_line_short({ ratio })
					: m.abn_work_line({ ratio, duration: calmDuration(item.belowSeconds, format) });
			return {
				title: item.isPastKillLine ? m.abn_work_kill() : m.abn_work(),
				lines: [line],
				href: '/control/spike'
			};
		}
		case 'p95': {
			const lines = [m.abn_p95_line({ value: seconds(item.ms, format) })];
			if (item.aboveSeconds >= tellingSeconds) {
				lines.push(
					m.abn_p95_line_for({
						limit: seconds(p95LimitMs, format),
						duration: calmDuration(item.aboveSeconds, format)
					})
				);
			}
			return { title: m.abn_p95(), lines, href: '/control/spike' };
		}
		case 'faults':
			return {
				title: m.abn_faults({ count: item.count, n: format.count(item.count) }),
				lines: [m.abn_faults_line()],
				href: '/control/spike'
			};
		case 'blind':
			return { title: m.abn_blind(), lines: [m.abn_blind_line()], href: '/control/spike' };
		case 'slowed': {
			const line = m.abn_slowed_line({
				rate: isolate(format.rate(item.perSecond)),
				health: isolate(format.ratio(item.health))
			});
			return { title: m.abn_slowed(), lines: [line], href: '/control/spike' };
		}
		case 'figures-old':
			return {
				title: m.abn_old(),
				lines: [m.abn_old_line({ time: isolate(format.clock(item.at)) })],
				href: '/control/spike'
			};
		case 'part': {
			const name = isolate(partWord(item.name));
			const title = {
				down: m.abn_part_down,
				slow: m.abn_part_slow,
				unknown: m.abn_part_unknown,
				breaker: m.abn_part_breaker
			}[item.state]({ name });
			return {
				title,
				lines: item.state === 'breaker' ? [m.abn_part_breaker_line()] : [],
				href: '/control/spike'
			};
		}
		case 'counters':
			return {
				title: m.abn_counters({ count: item.silent, n: format.count(item.silent) }),
				lines: [
					m.abn_counters_line({
						expected: m.counters_all({ count: item.expected, n: format.count(item.expected) })
					})
				],
				href: '/control/crowd'
			};
		case 'level-asks': {
			const level = format.count(item.level);
			const titles = {
				person: m.lev_proposal_title,
				up: m.lev_prop_up,
				down: m.lev_prop_down,
				until: m.lev_prop_until
			};
			return {
				title: titles[item.by]({ level }),
				lines: [m.abn_level_line({ time: isolate(format.time(item.at)) })],
				href: '/control/levels'
			};
		}
		case 'level':
			return {
				title: `${m.abn_level({ level: format.count(item.level) })}${item.isExercise ? ` · ${m.mark_exercise()}` : ''}`,
				lines: [m.abn_level_line({ time: isolate(format.time(item.since)) })],
				href: '/control/levels'
			};
	}

	function sayZone(
		{ zone, kind }: Extract<Abnormal, { kind: 'zone' | 'zone-unknown' | 'zone-wrong' }>,
		format: Format
	): Said {
		const name = isolate(zone.names[locale]);
		const href = `/control/crowd/zones/${zone.id}`;
		const action = zone.step?.action[locale] ?? null;
		const view = viewZone(zone, { isLive: true, heardAt: 0 }, 0);
		const full = saidFull(fullOf(zone, zone.quality, now), now, format);
		if (kind === 'zone-wrong')
			return { title: m.abn_wrong_title({ name }), lines: [m.abn_wrong_line()], href };
		if (kind === 'zone-unknown') {
			const bounds =
				view.fullness.kind === 'bounds'
					? m.abn_unknown_bounds({ range: isolate(saidShare(view.fullness, format)) })
					: null;
			return {
				title: m.abn_unknown_title({ name }),
				lines: [
					[bounds, saidLastHeard(zone, format)].filter((part) => part !== null).join(' · '),
					[full, action].filter((part) => part !== null).join(' · ')
				].filter((line) => line !== ''),
				href
			};
		}
		const lines = [action, full].filter((line) => line !== null);
		return { title: `${name} · ${isolate(saidShare(view.fullness, format))}`, lines, href };
	}
}
