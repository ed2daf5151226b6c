import type { LocalText, Mark, Quality } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { pointKey, type Condition, type Definition, type PointId } from './model.ts';

/** What another feature says of one subject. */
export interface FedCondition {
	state: 'on' | 'off' | 'unknown';
	value: number | null;
	limit?: number | null;
	unit?: string;
	names?: LocalText;
	/** Where a team would be sent. */
	zone?: string | null;
	quality?: Quality;
	mark?: Mark;
}

/** Keeps what others said until they say it again; what is not repeated in time is unknown. */
export function createFed({ clock, onRefused }: { clock: Clock; onRefused: () => void }) {
	const said = new Map<string, { point: PointId; condition: FedCondition; at: number }>();
	return {
		feed(point: PointId, condition: FedCondition) {
			const key = pointKey(point);
			if (!said.has(key) && said.size >= limits.alarms.fedMax) return onRefused();
			said.set(key, { point, condition, at: clock.now() });
		},
		conditions(
			definitions: ReadonlyMap<string, Definition>,
			namesOf: (point: PointId) => LocalText
		): Condition[] {
			const now = clock.now();
			const all: Condition[] = [];
			for (const [key, { point, condition, at }] of said) {
				if (!definitions.has(point.definition)) continue;
				const isFresh = now - at <= limits.alarms.fedFreshMs;
				const level = !isFresh || condition.state === 'unknown' ? null : condition.state === 'on' ? 1 : 0;
				all.push({
					...{ ...point, level, value: condition.value, limit: condition.limit ?? null },
					...{ unit: condition.unit ?? '', names: condition.names ?? namesOf(point) },
					zone: condition.zone ?? null,
					...{
						quality: level === null ? 'unknown' : (condition.quality ?? 'live'),
						mark: condition.mark ?? 'none'
					}
				});
				// Long gone and not on: the rules keep in mind what is active.
				if (now - at > 60 * limits.alarms.fedFreshMs) said.delete(key);
			}
			return all;
		}
	};
}
