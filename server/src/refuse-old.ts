import { commandAgeMaxMs } from '../contract/index.ts';
import { AppError } from './errors.ts';

/**
 * Refuses what was pressed too long ago, or by a clock that runs ahead: a command is never carried out later than it
 * was meant.
 * @throws AppError too_old
 */
export function refuseOld(sentAt: number | undefined, now: number): void {
	if (sentAt === undefined || Math.abs(now - sentAt) <= commandAgeMaxMs) return;
	throw new AppError('too_old', { serverTime: now, ageSeconds: Math.round((now - sentAt) / 1_000) });
}
