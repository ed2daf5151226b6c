import type { Entry } from '@marsad/server/contract';
import type { ScannerDevice, SyncOutcome } from './scanners-device.ts';
import { garbageOf, type ScannerKind, type ScannerKindName } from './scanners-kinds.ts';
import type { Holder } from './scanners-setup.ts';

/** What one scanner did, as it knows itself. */
export interface ScannerTally {
	kind: ScannerKindName;
	gate: string;
	scans: number;
	green: number;
	amber: number;
	red: number;
	/** People with a good permit who were turned away at their first scan, by cause. */
	refusedUnjustly: Record<string, number>;
	peopleIn: number;
	/** Entries of its own gate that it made, and those for another one. */
	made: number;
	forOtherGate: number;
	/** Times it tried to send, and what it sent. */
	syncs: number;
	batches: number;
	unanswered: number;
	setAside: number;
	/** What the server said of its clock at last, ms; null: nothing yet. */
	offsetMs: number | null;
	skewSeen: boolean;
}

export interface ScannerLife {
	device: ScannerDevice;
	kind: ScannerKind;
	tally: ScannerTally;
	holders: readonly Holder[];
	/** Where a stolen scanner posts for. */
	otherGate: string;
	/** How long the run takes, ms. */
	runMs: number;
	random: () => number;
	sleep: (ms: number) => Promise<unknown>;
	signal: AbortSignal;
}

const syncsOfARun = 24;
/** Lists are asked for with every so-manieth batch. */
const refreshEvery = 4;
/** One in so many comes to the same gate once more with a permit that was used. */
const comesAgainEvery = 20;
const countEvery = 15;

export const newTally = (kind: ScannerKindName, gate: string): ScannerTally => ({
	...{ kind, gate, scans: 0, green: 0, amber: 0, red: 0, refusedUnjustly: {}, peopleIn: 0, made: 0 },
	...{ forOtherGate: 0, syncs: 0, batches: 0, unanswered: 0, setAside: 0, offsetMs: null, skewSeen: false }
});

/** Lets one scanner stand at its gate for the run, with all that is wrong with it. What is left over stays in its queue. */
export async function liveScanner(life: ScannerLife): Promise<void> {
	const { holders, runMs, signal } = life;
	const syncEveryMs = runMs / syncsOfARun;
	const faults = listFaults(life);
	const beganMs = performance.now();
	const syncing = new Set<Promise<unknown>>();
	let syncAtMs = syncEveryMs * life.random();
	let shown = 0;
	for (;;) {
		const passedMs = performance.now() - beganMs;
		if (passedMs >= runMs || signal.aborted) break;
		while (faults[0] && faults[0].at * runMs <= passedMs) faults.shift()!.happen();
		for (; shown < holders.length && (shown / holders.length) * runMs <= passedMs; shown += 1)
			await showPermit(life, holders[shown]!, shown);
		if (passedMs >= syncAtMs && syncing.size === 0) {
			syncAtMs = passedMs + syncEveryMs;
			const one: Promise<unknown> = syncOnce(life).finally(() => syncing.delete(one));
			syncing.add(one);
		}
		await life.sleep(20);
	}
	for (; shown < holders.length && !signal.aborted; shown += 1)
		await showPermit(life, holders[shown]!, shown);
	await Promise.all(syncing);
	for (const fault of faults) fault.happen();
}

/** After the run: the network is there, and everything is sent as it should be. */
export async function bringIn({ device, tally }: ScannerLife): Promise<boolean> {
	device.plug(true);
	const isEmpty = await device.drain((outcome) => note(tally, outcome));
	// An empty batch is a sign of life, and says how the clock stands.
	if (isEmpty) note(tally, await device.sync({ isEmptyWanted: true }));
	return isEmpty;
}

async function showPermit(life: ScannerLife, holder: Holder, at: number): Promise<void> {
	const { device, kind, tally } = life;
	// A party that does not arrive together is let in bit by bit: "2 of 4".
	const first = holder.party > 1 && at % 3 === 0 ? Math.ceil(holder.party / 2) : holder.party;
	await scan(life, holder, first, true);
	if (first < holder.party) await scan(life, holder, holder.party - first, true);
	if (at % comesAgainEvery === comesAgainEvery - 1) await scan(life, holder, holder.party, false);
	if (at % countEvery === countEvery - 1) {
		device.count(2, 'pressure');
		tally.made += 1;
		tally.peopleIn += 2;
	}
	if (kind.isStolen) {
		const last = device.queue.at(-1);
		if (last) device.enqueue({ ...last, seq: 1_000_000 + at, gate: life.otherGate } as Entry);
		tally.forOtherGate += 1;
	}
}

async function scan({ device, tally }: ScannerLife, holder: Holder, people: number, isDue: boolean) {
	const judged = await device.scan(holder.text, people);
	tally.scans += 1;
	tally.made += 1;
	tally[judged.verdict] += 1;
	tally.peopleIn += judged.people;
	if (!isDue || judged.verdict !== 'red') return;
	const cause = judged.cause ?? 'no cause';
	tally.refusedUnjustly[cause] = (tally.refusedUnjustly[cause] ?? 0) + 1;
}

async function syncOnce({ device, kind, tally, random }: ScannerLife): Promise<void> {
	tally.syncs += 1;
	if (!kind.keepsOldLists && tally.syncs % refreshEvery === 0) await device.refresh();
	const garbage = Array.from({ length: kind.garbage ?? 0 }, () => garbageOf(random));
	const loseAnswer = random() < (kind.loseAnswers ?? 0);
	note(tally, await device.sync({ copies: kind.copies ?? 1, loseAnswer, garbage }));
}

function note(tally: ScannerTally, outcome: SyncOutcome): void {
	if (outcome.kind === 'nothing') return;
	tally.batches += 1;
	if (outcome.kind !== 'sent') {
		tally.unanswered += 1;
		return;
	}
	tally.setAside += outcome.answer.setAside.length;
	tally.offsetMs = outcome.answer.clock.offsetMs;
	if (outcome.answer.clock.state === 'skewed') tally.skewSeen = true;
}

/** What happens to a scanner, in order of time. */
function listFaults({ device, kind }: ScannerLife): { at: number; happen: () => void }[] {
	const { offline, clockSet, restarts = [] } = kind;
	return [
		...(offline
			? [
					{ at: offline.from, happen: () => device.plug(false) },
					{ at: offline.to, happen: () => device.plug(true) }
				]
			: []),
		...(clockSet ? [{ at: clockSet.at, happen: () => device.clock.setOffByMs(clockSet.offByMs) }] : []),
		...restarts.map((at) => ({ at, happen: () => device.restart() }))
	].sort((a, b) => a.at - b.at);
}
