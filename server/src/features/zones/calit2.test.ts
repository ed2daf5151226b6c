import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newDevice, takeReading } from '../sensors/device.ts';
import { newReading } from '../sensors/reading.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { buildSite } from '../site/index.ts';
import { createZoneWatch } from './zone-watch.ts';

/** Fifteen weeks of the main door of a building (UCI, CalIt2); it stands beside the repository, not in it. */
const file = fileURLToPath(
	new URL('../../../../../shared/samples/data/uci-calit2-building-30min-in-out.csv', import.meta.url)
);
const halfHourMs = 1_800_000;

describe.runIf(existsSync(file))('a real door over fifteen weeks', () => {
	const rows = existsSync(file)
		? readFileSync(file, 'utf8')
				.trim()
				.split('\n')
				.slice(1)
				.map((line) => {
					const [time = '', into = '', out = ''] = line.split(',');
					return { at: Date.parse(`${time}Z`), in: Number(into), out: Number(out) };
				})
		: [];
	const replay = () => {
		const site = buildSite(smallSite());
		const properties = { ...site.counters.get('door-1')!, periodSeconds: 1_800 };
		const device = newDevice('door-1', [properties], false);
		const zone = site.zones.get('hall')!;
		const watch = createZoneWatch({
			...{ zone, counters: device.counters, retiredNetFlow: () => 0, corridors: [], mark: 'none' }
		});
		const say = ({ at, ...counts }: (typeof rows)[number]) => {
			const value = { kind: 'delta' as const, ...counts, from: at };
			const receivedAt = at + halfHourMs;
			const reading = newReading(
				'door-1',
				null,
				value,
				{ receivedAt, retained: false },
				{ deviceAt: receivedAt }
			);
			const taken = takeReading(device, reading, { simulatedAllowed: false });
			watch.look(receivedAt);
			return taken;
		};
		return { watch, say, totals: device.counters[0]!.state };
	};

	it('counts every person of it, in both directions', () => {
		const { say, totals, watch } = replay();
		const nets = rows.map((row) => {
			expect(say(row).reason).toBeNull();
			return totals.totalIn - totals.totalOut;
		});
		expect([totals.totalIn, totals.totalOut, watch.signed()]).toEqual([19_625, 18_806, 819]);
		expect([Math.max(...nets), Math.min(...nets)]).toEqual([901, -12]);
	});

	it('ends 38 of 105 days below zero: shown as 0 with its drift, and with its error after the nightly anchor', () => {
		const { say, watch } = replay();
		let [days, below] = [0, 0];
		const errors: number[] = [];
		for (const [index, row] of rows.entries()) {
			say(row);
			if ((index + 1) % 48 !== 0) continue;
			days++;
			const signed = watch.signed() ?? NaN;
			const shown = watch.figures('en');
			expect(shown.present).toBe(Math.max(0, signed));
			if (signed < 0) {
				below++;
				expect(shown.drift).toBe(true);
			}
			const error = watch.errorOf(0 - signed);
			if (error !== null) errors.push(error);
			const now = { at: row.at + halfHourMs, netFlow: watch.netFlow(), flowIn: watch.flowIn() };
			watch.setAnchor({ ...now, present: 0, error, night: 'a night' });
			watch.look(now.at + 1);
			expect(watch.figures('en')).toMatchObject({ present: 0, drift: false, error });
		}
		expect([days, below]).toEqual([105, 38]);
		expect(errors.length).toBeGreaterThan(100);
	});
});
