import type { ForecastBasis, NoForecast, SpikeNow } from '../../../contract/index.ts';
import type { ModelPlan } from '../../../contract/model/index.ts';
import type { Static } from 'typebox';
import type { Decision } from '../../conductor/decide.ts';
import { ratePath, type RateSetting } from './rate-path.ts';

/** What a press would put in force. */
export interface Premise extends RateSetting {
	/** Nobody may join, or is let in, at this level. */
	joinsOff: boolean;
	releasesOff: boolean;
}

export interface RoomSituation {
	now: SpikeNow;
	decision: Decision;
	/** A called person who stays away frees the place after so long. */
	claimWithinSeconds: number;
}

export type Basis = Static<typeof ForecastBasis>;

/** Where nothing tells how long people take. */
const claimSecondsUsual = 10;
const staySecondsUsual = 30;
const staySecondsMax = 600;

/** Why nobody can foresee the room now; null when one can. */
export function whyUnknown({ now, decision }: RoomSituation): NoForecast | null {
	if (decision.blind) return 'blind';
	if (now.room.quality !== 'live' && now.room.quality !== 'partial') return 'no-figures';
	return now.room.mode === 'open' ? null : 'mode';
}

export function basisOf({ now, decision }: RoomSituation): Basis {
	return {
		joinedPerSecond: now.room.joinedPerSecond,
		waiting: now.room.depth,
		capacityPerSecond: decision.narrowestPerSecond,
		noShow: now.room.noShow ?? 0
	};
}

/** The room as the model's plan, under a premise. Times that people take follow from Little's law where people are. */
export function roomPlan(
	situation: RoomSituation,
	premise: Premise,
	seconds: number,
	stepSeconds: number
): ModelPlan {
	const { now, decision } = situation;
	const { room, work } = now;
	const basis = basisOf(situation);
	const setting = premise.releasesOff ? { ...premise, managerPerSecond: 0 } : premise;
	const changes = ratePath(decision, setting, seconds, stepSeconds);
	const joins = premise.joinsOff ? 0 : basis.joinedPerSecond;
	return {
		...{ seconds, stepSeconds, queues: [], zones: [], gates: [], paths: [], changes },
		room: {
			...{ waiting: room.depth, called: room.called, active: room.active },
			...{ ratePerSecond: decision.ratePerSecond, placesMax: room.placesMax, noShow: basis.noShow },
			claimSeconds: secondsOf(room.called, room.admittedPerSecond, claimSecondsUsual),
			claimWithinSeconds: situation.claimWithinSeconds,
			arrivals: [{ second: 0, perSecond: joins }]
		},
		work: {
			backlog: 0,
			capacityPerSecond: basis.capacityPerSecond ?? keepsUp,
			thinkSeconds: secondsOf(room.active, work.served / 60, staySecondsUsual)
		}
	};
}

/** A capacity that was never measured is taken to keep up. */
const keepsUp = 1e6;

/** Little: time = people ÷ people a second. */
function secondsOf(people: number, perSecond: number, usual: number): number {
	return people > 0 && perSecond > 0 ? Math.min(staySecondsMax, people / perSecond) : usual;
}
