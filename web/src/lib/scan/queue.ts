import {
	entryBatchBytesMax,
	entryBatchMax,
	type Entry,
	type EntryBatchAnswer
} from '@marsad/server/contract';
import type { AsideEntry } from './scan-store.ts';

/** Room for what stands around the entries of a batch. */
const envelopeBytes = 4_096;

/**
 * The entries of the next batch: the oldest, as many as one batch holds.
 * @param openSeq an entry whose number of people may still change: it waits, with everything after it
 * @param most fewer than usual, after a batch was too large
 */
export function cutBatch(waiting: readonly Entry[], openSeq: number | null, most = entryBatchMax): Entry[] {
	const batch: Entry[] = [];
	let bytes = envelopeBytes;
	for (const entry of waiting) {
		if (openSeq !== null && entry.seq >= openSeq) break;
		// Letters of a permit are one byte each; anything else in an entry is ours and plain, too.
		bytes += JSON.stringify(entry).length + 1;
		if (batch.length >= most || (batch.length > 0 && bytes > entryBatchBytesMax)) break;
		batch.push(entry);
	}
	return batch;
}

/**
 * What an answer takes from the queue: what was in this batch and is stored, and what was in it and was put aside. A number
 * that was not sent is not believed.
 */
export function readAnswer(
	sent: readonly Entry[],
	answer: Pick<EntryBatchAnswer, 'acknowledged' | 'setAside'>
): { acknowledged: [number, number][]; aside: AsideEntry[] } {
	const acknowledged: [number, number][] = [];
	for (const { seq } of sent) {
		if (!answer.acknowledged.some(([from, to]) => from! <= seq && seq <= to!)) continue;
		const last = acknowledged.at(-1);
		if (last && last[1] + 1 === seq) last[1] = seq;
		else acknowledged.push([seq, seq]);
	}
	const aside = answer.setAside.flatMap(({ index, code }) => {
		const entry = sent[index];
		return entry ? [{ seq: entry.seq, code }] : [];
	});
	return { acknowledged, aside };
}
