import {
	scannerClockSkewedMs,
	type Entry,
	type EntryBatch,
	type ScannerClock
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

/** A comparison of a scanner's clock with ours that was made in an earlier batch. */
export interface KnownClock {
	boot: string | null;
	offsetMs: number | null;
	uncertaintyMs: number | null;
}

/** When something happened by our clock, epoch ms, and how far off that may be. */
export interface CorrectedTime {
	at: number;
	uncertaintyMs: number;
}

/** Clocks that differ by less are read at different moments of the same action. */
const jitterMs = 2_000;

/** The scanner's clock against ours, as of the moment in which the batch was sent. */
export function clockOf({ clock }: EntryBatch, receivedAt: number): ScannerClock {
	const roundTripMs = clock.roundTripMs ?? 0;
	const offsetMs = Math.round(clock.deviceAt - (receivedAt - roundTripMs / 2));
	return {
		offsetMs,
		uncertaintyMs: Math.ceil((clock.roundTripMs ?? limits.entries.roundTripMs) / 2),
		state: Math.abs(offsetMs) > scannerClockSkewedMs ? 'skewed' : 'good'
	};
}

/**
 * When an entry happened by our clock. Within one boot the clock that never jumps tells, whatever somebody did to the
 * other one: set back in between, it changes nothing; gone ahead of it, the device may have slept, and by so much the
 * time is uncertain. In an earlier boot the device's own clock tells, less what it was off by.
 */
export function correctTime(
	entry: Pick<Entry, 'boot' | 'deviceAt' | 'uptimeMs'>,
	batch: EntryBatch,
	known: KnownClock,
	receivedAt: number
): CorrectedTime {
	const { clock } = batch;
	const now = clockOf(batch, receivedAt);
	const sentAt = clock.deviceAt - now.offsetMs;
	const notAfter = (at: number) => Math.max(0, Math.min(Math.round(at), receivedAt));
	if (entry.boot === clock.boot && entry.uptimeMs <= clock.uptimeMs + jitterMs) {
		const agoMs = Math.max(0, clock.uptimeMs - entry.uptimeMs);
		const aheadMs = clock.deviceAt - entry.deviceAt - agoMs;
		const sleptMs = aheadMs > jitterMs ? aheadMs : 0;
		return { at: notAfter(sentAt - agoMs), uncertaintyMs: now.uncertaintyMs + Math.round(sleptMs) };
	}
	if (known.boot === entry.boot && known.offsetMs !== null)
		return {
			at: notAfter(entry.deviceAt - known.offsetMs),
			uncertaintyMs: (known.uncertaintyMs ?? limits.entries.roundTripMs) + jitterMs
		};
	return {
		at: notAfter(entry.deviceAt - now.offsetMs),
		uncertaintyMs: now.uncertaintyMs + limits.entries.otherBootMs
	};
}
