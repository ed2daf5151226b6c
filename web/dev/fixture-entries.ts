import type { EntryConflict, PlaceEntrySettings, Scanner } from '@marsad/server/contract';
import { sampleGap, sampleScanner } from './samples.ts';

const minuteMs = 60_000;

/** Gaps and scanners in every state, to look at the screens. For development only. */
export function entriesNow(at: number): Record<string, unknown> {
	const gaps = [
		sampleGap({ gate: 'gate-1', at: at - 4_000 }),
		sampleGap({
			...{ gate: 'gate-2', counted: 400, scanned: 412, gap: -12 },
			...{ at: at - 60_000, quality: 'partial' }
		}),
		sampleGap({ ...{ gate: 'gate-3', scanned: null, gap: null, at: null }, quality: 'unknown' })
	];
	return Object.fromEntries([
		...gaps.map((gap) => [`gap:${gap.gate}`, gap] as const),
		...scannersNow(at)
			.filter(({ state }) => state !== 'revoked')
			.map((scanner) => [`scanner:${scanner.id}`, scanner] as const)
	]);
}

export function scannersNow(at: number): Scanner[] {
	const report = (keys: number, revocationsAge: number, queued: number) => ({
		...{ queued, build: 'fixture', keys: { version: keys, ageSeconds: 7_200 } },
		revocations: { version: 90, ageSeconds: revocationsAge }
	});
	const one = (id: string, name: string, gate: string, more: Partial<Scanner>) =>
		sampleScanner({ ...{ id, name, gate, seenAt: at - 3_000 }, report: report(4, 60, 0), ...more });
	return [
		one('s-1', 'Lane 1', 'gate-1', {}),
		one('s-2', 'Lane 2', 'gate-1', {
			...{ state: 'silent', seenAt: at - 12 * minuteMs, report: report(3, 25_000, 214) },
			clock: { offsetMs: -10_800_000, uncertaintyMs: 90, state: 'skewed' }
		}),
		one('s-3', 'المسار 1', 'gate-2', { setAside: 4 }),
		one('s-4', 'Lane 1', 'gate-3', {
			...{ state: 'never', seenAt: null },
			...{ clock: null, report: null, entries: 0 }
		}),
		one('s-5', 'Lane 9', 'gate-3', { state: 'revoked', revokedAt: at - 90 * minuteMs })
	];
}

export function conflictsNow(at: number): { conflicts: EntryConflict[]; more: boolean } {
	const one = (id: string, more: Partial<EntryConflict>): EntryConflict => ({
		...{ id, kind: 'two-gates', permit: '7Q4M-KX2D-9RHT-WC3E', gates: ['gate-1', 'gate-3'] },
		...{ people: 2, party: 1, firstAt: at - 40 * minuteMs, lastAt: at - 33 * minuteMs },
		...{ raisedAt: at - 5 * minuteMs, offline: true, seen: null, ...more }
	});
	return {
		conflicts: [
			one('c-1', {}),
			one('c-2', {
				...{ kind: 'second-use', gates: ['gate-2'], permit: null, offline: false },
				seen: {
					by: 'Crowd controller',
					at: at - 30 * 3_600_000,
					reason: 'One family, scanned twice by mistake'
				}
			})
		],
		more: false
	};
}

export const placesNow: PlaceEntrySettings[] = [
	{
		...{ place: 'hall', placeNames: { ar: 'القاعة', en: 'Hall' }, policy: 'single', version: 0 },
		...{ earlySeconds: 900, lateSeconds: 1_800, movedGraceSeconds: 1_800, slots: [], trailHours: 48 },
		trailViewers: ['duty-manager', 'administrator']
	}
];
