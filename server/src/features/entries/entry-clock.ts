import {
	scannerClockSkewedMs,
	type Entry,
	type EntryBatch,
	type ScannerClock
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

/** Both clocks of a scanner beside ours, at a moment in which it spoke with us. */
export interface Contact {
	boot: string;
	/** By our clock, epoch ms. */
	at: number;
	/** By the clock of the device, right or wrong. */
	deviceAt: number;
	/** By the clock that never jumps: `at - uptimeMs` is the start of the boot by our clock. */
	uptimeMs: number;
	/** How far off `at` may be. */
	uncertaintyMs: number;
	/** By how much in all, forward and back, the device's own clock was set in this boot, as seen from contact to contact. */
	setMs: number;
}

/** What earlier batches said of a scanner's clocks. */
export interface KnownClock {
	/** The newest contact of each of its last boots, oldest first. */
	contacts: readonly Contact[];
	/** Nothing that it scanned is older: when it was made, epoch ms. */
	since: number;
}

/** When something happened by our clock, epoch ms, and how far off that may be. */
export interface CorrectedTime {
	at: number;
	uncertaintyMs: number;
}

type Moment = Pick<Entry, 'boot' | 'deviceAt' | 'uptimeMs'>;

/** Clocks that differ by less are read at different moments of the same action. */
const jitterMs = 2_000;
/** A cheap quartz, in the heat: so much of what it measures it may be off by. */
const driftShare = 1 / 10_000;

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

/** What a batch says of both clocks. */
export function contactOf(batch: EntryBatch, receivedAt: number): Contact {
	const { boot, deviceAt, uptimeMs } = batch.clock;
	const { offsetMs, uncertaintyMs } = clockOf(batch, receivedAt);
	return { boot, at: deviceAt - offsetMs, deviceAt, uptimeMs, uncertaintyMs, setMs: 0 };
}

/** What is remembered after a batch: one contact a boot, of the last boots. */
export function withContact(contacts: readonly Contact[], now: Contact): Contact[] {
	const last = contacts.at(-1);
	const setBefore = last?.boot === now.boot ? last.setMs : 0;
	const setMs = setBefore + (last ? Math.abs(setBetween(last, now)) : 0);
	const others = contacts.filter(({ boot }) => boot !== now.boot);
	return [...others, { ...now, setMs }].slice(-limits.entries.bootsKept);
}

/**
 * When an entry happened by our clock. Of a boot in which the scanner spoke with us, the clock that never jumps tells, from
 * that moment on or back to it, whatever somebody did to the other one. It stands still while the device sleeps: by as much
 * as that may have been the time is uncertain. Of a boot that never spoke the device's own clock tells, less what it is
 * off by now, and whatever it was off by at any other time is how uncertain that is.
 *
 * Honest as long as the device's clock was set no more than once between two contacts.
 */
export function correctTime(
	entry: Moment,
	batch: EntryBatch,
	known: KnownClock,
	receivedAt: number
): CorrectedTime {
	const here = contactOf(batch, receivedAt);
	const before = known.contacts.find(({ boot }) => boot === entry.boot);
	const isOfThisBoot = entry.boot === here.boot && entry.uptimeMs <= here.uptimeMs + jitterMs;
	const isBackFromHere = isOfThisBoot && !(before && entry.uptimeMs <= before.uptimeMs);
	const time = isBackFromHere
		? timeBack(entry, here, known.contacts.at(-1))
		: before && before.boot !== here.boot
			? timeAround(entry, before, known, here)
			: before && isOfThisBoot
				? timeBack(entry, before, undefined)
				: timeByDevice(entry, known, here);
	return {
		at: Math.max(0, Math.min(Math.round(time.at), receivedAt)),
		uncertaintyMs: Math.ceil(time.uncertaintyMs)
	};
}

/** Back from a contact of the same boot. `last`: the newest contact before that one, of any boot. */
function timeBack(entry: Moment, from: Contact, last: Contact | undefined): CorrectedTime {
	const agoMs = Math.max(0, from.uptimeMs - entry.uptimeMs);
	const aheadMs = from.deviceAt - entry.deviceAt - agoMs;
	const marginMs = from.uncertaintyMs + agoMs * driftShare;
	if (!last) return { at: from.at - agoMs, uncertaintyMs: marginMs + Math.max(0, aheadMs + from.setMs) };
	// Between two contacts of one boot we know ourselves how long it slept.
	const mostMs =
		last.boot === entry.boot
			? from.at - last.at - (from.uptimeMs - last.uptimeMs) + noiseOf(last, from)
			: Infinity;
	return { at: from.at - agoMs, uncertaintyMs: marginMs + sleptAtMost(aheadMs, last, from, mostMs) };
}

/** From the contact of an earlier boot on, or back to it. */
function timeAround(entry: Moment, anchor: Contact, known: KnownClock, here: Contact): CorrectedTime {
	if (entry.uptimeMs < anchor.uptimeMs) {
		const { at, uncertaintyMs } = timeBack(entry, anchor, undefined);
		return { at, uncertaintyMs: uncertaintyMs + jitterMs };
	}
	const next = known.contacts[known.contacts.indexOf(anchor) + 1] ?? here;
	const elapsedMs = entry.uptimeMs - anchor.uptimeMs;
	const at = anchor.at + elapsedMs;
	const aheadMs = entry.deviceAt - anchor.deviceAt - elapsedMs;
	// It was over before the next boot began.
	const mostMs = next.at - next.uptimeMs + next.uncertaintyMs - at;
	const marginMs = anchor.uncertaintyMs + jitterMs + elapsedMs * driftShare;
	return { at, uncertaintyMs: marginMs + sleptAtMost(aheadMs, anchor, next, mostMs) };
}

/** By the device's own clock alone, within what is possible at all. */
function timeByDevice(entry: Moment, { contacts, since }: KnownClock, here: Contact): CorrectedTime {
	const latest = here.boot === entry.boot ? here.at : here.at - here.uptimeMs + here.uncertaintyMs;
	const earliest = Math.min(since, latest);
	const byDevice = entry.deviceAt - (here.deviceAt - here.at);
	const at = Math.max(earliest, Math.min(byDevice, latest));
	const spanMs = Math.max(at - earliest, latest - at);
	// Never compared before, or a time that cannot be: it was somewhen.
	const isAnywhen = contacts.length === 0 || Math.abs(at - byDevice) > limits.entries.otherBootMs;
	const sets = contacts.map((contact) => Math.abs(offsetOf(contact) - offsetOf(here)) + contact.setMs);
	const likelyMs = isAnywhen ? Infinity : limits.entries.otherBootMs + Math.max(...sets);
	return { at, uncertaintyMs: Math.min(spanMs, likelyMs) + here.uncertaintyMs };
}

const offsetOf = ({ deviceAt, at }: Contact): number => deviceAt - at;

/** What two comparisons of clocks may differ by although nobody touched them. */
function noiseOf(from: Contact, to: Contact): number {
	return from.uncertaintyMs + to.uncertaintyMs + jitterMs + Math.max(0, to.at - from.at) * driftShare;
}

/** By how much the device's own clock was set between two contacts, forward or back; 0 for what may be noise. */
function setBetween(from: Contact, to: Contact): number {
	const setMs = offsetOf(to) - offsetOf(from);
	return Math.abs(setMs) > noiseOf(from, to) ? setMs : 0;
}

/**
 * How long a device slept at most whose own clock went ahead of its steady one by `aheadMs`, somewhere between two contacts:
 * before its clock was set there, if it was, or after that.
 */
function sleptAtMost(aheadMs: number, from: Contact, to: Contact, mostMs: number): number {
	const setMs = setBetween(from, to);
	const unlessSet = setMs === 0 ? aheadMs : aheadMs - setMs + noiseOf(from, to);
	return Math.max(0, Math.min(mostMs, Math.max(aheadMs, unlessSet)));
}
