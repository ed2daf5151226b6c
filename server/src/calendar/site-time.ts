import { Temporal } from 'temporal-polyfill';
import { textOfDay, type CivilDay } from '../../contract/index.ts';

/**
 * The moment (epoch ms) at which a clock at the site shows this time of this day. Where the clock jumps over it, the
 * same time after the jump; where it comes twice, the first.
 * @param time `08:30`
 */
export function momentAt(day: CivilDay, time: string, timeZone: string): number {
	return Temporal.PlainDateTime.from(`${textOfDay(day)}T${time}`).toZonedDateTime(timeZone, {
		disambiguation: 'compatible'
	}).epochMilliseconds;
}
