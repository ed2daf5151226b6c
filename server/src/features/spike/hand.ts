import type { RoomHand } from '../../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Record as TheRecord } from '../record/index.ts';

const actions = { 'queue.rate': 'rate', 'queue.mode': 'mode' } as const;
const shownCommands = 5;
type Value = RoomHand['last'][number]['from'];

/** The duty manager's hand as it stands, and who laid it there: read anew when it moves. */
export function createHand(deps: {
	record: Pick<TheRecord, 'newest'>;
	room: string;
	log: Log;
	show: (hand: RoomHand) => void;
}): { note(perSecond: number, mode: string | null): void } {
	let shown: { perSecond: number; mode: string | null } | null = null;

	const read = async (perSecond: number, mode: string | null) => {
		const entries = await deps.record.newest({
			actions: Object.keys(actions),
			subject: deps.room,
			limit: shownCommands
		});
		deps.show({
			...{ perSecond, mode },
			last: entries.map((entry) => {
				const kind = actions[entry.action as keyof typeof actions];
				const valueOf = (side: unknown) =>
					((side ?? {}) as Record<string, Value>)[kind === 'rate' ? 'perSecond' : 'mode'] ?? null;
				return {
					...{ at: entry.at, by: entry.actor, kind, reason: entry.reason ?? '' },
					...{ from: valueOf(entry.before), to: valueOf(entry.after) }
				};
			})
		});
	};
	return {
		note(perSecond, mode) {
			if (shown?.perSecond === perSecond && shown.mode === mode) return;
			shown = { perSecond, mode };
			void read(perSecond, mode).catch((error: unknown) => {
				shown = null;
				deps.log.warn(
					{ error: error instanceof Error ? error.message : 'unknown' },
					'who set the rate could not be read'
				);
			});
		}
	};
}
