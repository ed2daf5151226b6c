import type { JoinRegistered } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { publicState } from './draw/draw-facts.ts';
import type { Queue } from './queue.ts';
import type { RoomLife } from './room-life.ts';
import { isRunning, joinableFrom } from './schedule.ts';
import { createTokenSigner } from './signed-token.ts';

/** A place in the pre-queue that a token stands for. */
export interface EntryClaims {
	holder: string;
	draw: number;
	late: boolean;
}

/** Everybody is equal in front of the draw: entries instead of numbers. */
export interface PreQueue {
	/**
	 * Takes somebody in for the draw; null where the room itself gives places.
	 * @throws AppError `too_early_to_join`, `room_closed`, `busy`
	 */
	enter(holder: string, party: number): Promise<JoinRegistered | null>;
	/** The entry of one of these holders that a token stands for; null when it is no token of an entry of theirs. */
	read(token: unknown, holders: readonly string[]): EntryClaims | null;
	/** What somebody who waits for the draw hears; null: the draw is done or void, the place is in the room or nowhere. */
	waitOf(entry: EntryClaims): Omit<JoinRegistered, 'ticket' | 'number'> | null;
	/** Takes the entry out. @throws AppError `draw_running` once the list is frozen */
	leave(entry: EntryClaims): Promise<void>;
	/** A browser whose person is known by an account now: its entry goes, if it still can. */
	forget(holder: string): Promise<void>;
}

const flagLate = 1;
const payloadBytes = 9;
const drawingRetrySeconds = 5;

export function createPreQueue(deps: {
	life: RoomLife;
	queue: Pick<Queue, 'figures'>;
	clock: Clock;
	random: () => number;
	secret: string;
	scope: readonly string[];
	onRefusal: (why: 'too_early_to_join' | 'room_closed') => void;
}): PreQueue {
	const { life, queue, clock, random } = deps;
	const { secret, scope } = deps;
	const signer = createTokenSigner({ secret, kind: 'E1', purpose: 'entry', scope });

	/** The document says when the draw is done; a question before is no use, and after it they do not come at once. */
	const pollAfterMs = (opensAt: number) => {
		const { askWithinSeconds } = life.facts() ?? { askWithinSeconds: 10 };
		const untilMs = Math.max(0, opensAt - clock.now());
		return Math.round(Math.min(limits.draw.pollMaxMs, untilMs + 5_000 + random() * askWithinSeconds * 1_000));
	};
	const describe = (entry: string, opensAt: number, late: boolean) => ({
		admitted: false as const,
		registered: true as const,
		position: null,
		etaSeconds: null,
		eta_s: null,
		opensAt,
		entry,
		...(late ? { late: true as const } : {}),
		pollAfterMs: pollAfterMs(opensAt)
	});
	const sign = ({ holder, draw, late }: EntryClaims) => {
		const payload = Buffer.alloc(payloadBytes);
		payload.writeUInt32BE(queue.figures().epoch, 0);
		payload.writeUInt32BE(draw, 4);
		payload.writeUInt8(late ? flagLate : 0, 8);
		return signer.sign(payload, holder);
	};
	/** Not open yet: how long to wait is said in so many words. */
	const refuseEarly = (from: number): never => {
		const { preQueueOpensAt, opensAt } = life.schedule();
		const seconds = Math.max(1, Math.ceil((from - clock.now()) / 1_000));
		deps.onRefusal('too_early_to_join');
		throw new AppError('too_early_to_join', { joinFrom: from, preQueueOpensAt, opensAt }, seconds);
	};
	/** The draw in force, when it is this one. Who was in an earlier one of this epoch has a place in the room, or none. */
	const current = (draw: number) => {
		const own = life.draw();
		return own?.id === draw && own.state !== 'void' ? own : null;
	};

	return {
		async enter(holder, party) {
			const state = life.state();
			if (state === 'closed') {
				deps.onRefusal('room_closed');
				throw new AppError('room_closed', { closesAt: life.schedule().closesAt });
			}
			if (state === 'open') return null;
			const from = joinableFrom(life.schedule());
			if (from !== null && clock.now() < from) return refuseEarly(from);
			const outcome = await life.register(holder, party);
			if (outcome.kind === 'over') {
				// No draw to wait for: in the countdown nobody can have a place, after it the room gives them.
				if (life.state() === 'countdown') return refuseEarly(life.schedule().opensAt ?? clock.now());
				return null;
			}
			const late = outcome.kind === 'late';
			const ticket = sign({ holder, draw: outcome.draw, late });
			return { ...describe(outcome.entry, outcome.opensAt, late), ticket, number: null };
		},
		read(token, holders) {
			for (const holder of holders) {
				const payload = signer.read(token, holder);
				if (payload?.length !== payloadBytes) continue;
				if (payload.readUInt32BE(0) !== queue.figures().epoch)
					throw new AppError('old_epoch', { rejoin: true });
				return { holder, draw: payload.readUInt32BE(4), late: payload.readUInt8(8) === flagLate };
			}
			return null;
		},
		waitOf({ holder, draw, late }) {
			const own = current(draw);
			if (!own || !isRunning(publicState(own.state))) return null;
			return describe(life.keysOf(own).entryOf(holder), life.schedule().opensAt ?? clock.now(), late);
		},
		async leave({ holder, draw }) {
			const own = current(draw);
			if (own && !(await life.unregister(holder)) && own.state !== 'committed')
				throw new AppError('draw_running', {}, drawingRetrySeconds);
		},
		async forget(holder) {
			await life.unregister(holder);
		}
	};
}
