import {
	levelSignals,
	type LevelSignal,
	type Quality,
	type SpikeHistory,
	type SpikeNow
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { judgedRatio } from '../spike/index.ts';

/** What a rule sees at one moment. Only `known` is evidence of anything. */
export interface Look {
	kind: 'known' | 'no-inflow' | 'blind' | 'settling' | 'muted';
	value: number | null;
	quality: Quality;
}
export type Looks = Record<LevelSignal, Look>;

/** What the level in force does to what rules see. */
export interface InForce {
	off: ReadonlySet<string>;
	/** Figures until then are of before the switch. */
	settlingUntil: number;
}

/** Of fewer bookings the middle one counts: one slow person is no sign. */
const enoughToJudge = 20;
/** Where nobody can book, how booking goes is the level's own doing. */
const ofBooking: readonly LevelSignal[] = ['booking-p95-ms', 'work-ratio', 'error-share'];

/** Every signal as it stands now. */
export function lookAt(now: SpikeNow | null, at: number, inForce: InForce): Looks {
	const isFresh = now !== null && at - now.at <= limits.levels.figuresFreshMs;
	return byName((signal) => {
		if (inForce.off.has('booking') && ofBooking.includes(signal)) return none('muted');
		if (at < inForce.settlingUntil) return none('settling');
		if (!isFresh) return none('blind');
		const { value, quality } = readSignal(signal, now);
		if (quality === 'stale' || quality === 'unknown') return none('blind');
		return value === null ? none('no-inflow', quality) : { kind: 'known', value, quality };
	});
}

function readSignal(signal: LevelSignal, now: SpikeNow): { value: number | null; quality: Quality } {
	const { booking, work, outcomes, pool } = now;
	switch (signal) {
		case 'booking-p95-ms':
			return {
				value: booking.count >= enoughToJudge ? booking.p95Ms : booking.p50Ms,
				quality: booking.quality
			};
		case 'work-ratio':
			return { value: judgedRatio(work), quality: work.quality };
		case 'error-share':
			return { value: errorShare(outcomes), quality: outcomes.quality };
		case 'pool-wait-ms':
			return { value: pool.waitP95Ms, quality: pool.quality };
	}
}

/** Faults ÷ answers; designed refusals are no faults. */
function errorShare(outcomes: SpikeNow['outcomes']): number | null {
	const { at: _at, quality: _quality, mark: _mark, ...counts } = outcomes;
	const answers = Object.values(counts).reduce((sum, count) => sum + count, 0);
	return answers < enoughToJudge ? null : Math.round((outcomes.faults / answers) * 1_000) / 1_000;
}

/** The same from stored seconds, oldest first: what a restart goes on from. */
export function* looksOf(history: SpikeHistory, inForce: InForce): Generator<{ at: number; looks: Looks }> {
	const { series } = history;
	for (const [index, at] of history.at.entries()) {
		const value = (name: keyof typeof series) => series[name][index] ?? null;
		const perMinute = (name: keyof typeof series) => (value(name) ?? 0) * 60;
		const [offered, served] = [perMinute('offeredPerSecond'), perMinute('servedPerSecond')];
		const faults = perMinute('faultsPerSecond');
		const answers = served + faults + perMinute('refusedPerSecond');
		const values: Record<LevelSignal, number | null> = {
			'booking-p95-ms': value(served >= enoughToJudge ? 'p95Ms' : 'p50Ms'),
			'work-ratio': judgedRatio({ offered, served, ratio: value('workRatio') }),
			'error-share': answers < enoughToJudge ? null : faults / answers,
			'pool-wait-ms': value('poolWaitP95Ms')
		};
		yield {
			at,
			looks: byName((signal) => {
				if (inForce.off.has('booking') && ofBooking.includes(signal)) return none('muted');
				if (at < inForce.settlingUntil) return none('settling');
				const known = values[signal];
				return known === null ? none('blind') : { kind: 'known', value: known, quality: 'live' };
			})
		};
	}
}

function none(kind: Exclude<Look['kind'], 'known'>, quality: Quality = 'unknown'): Look {
	return { kind, value: null, quality };
}

function byName(of: (signal: LevelSignal) => Look): Looks {
	return Object.fromEntries(levelSignals.map((signal) => [signal, of(signal)])) as Looks;
}
