import type { CountEntry, CountReason, Entry, PermitEntry } from '@marsad/server/contract';
import { judge, withoutProof, type Judgement } from './judge.ts';
import { afterEntry } from './link.ts';
import { gateDirection, gateMode, knownTime, type ScanDeps, type Shown } from './scan-state.ts';
import { createSeen, sameTriggerMs } from './seen.ts';
import { withPass, type UsedPermit } from './uses.ts';

/** After so long the people of an answer are as they are, and it is sent. */
export const openMs = 20_000;
/** Longer texts are cut: no permit is so long. */
const textMax = 300;
const countMax = 200;
/** The most that any permit is for. */
const overruledMost = 20;

/** The steward's side: what is scanned or counted is judged, kept, and then answered. One thing after the other. */
export interface Desk {
	/** @returns the answer; null for a code that is still the same presentation, or while nothing is checked */
	scan(text: string, source: 'camera' | 'wedge' | 'typed'): Promise<Shown | null>;
	/** How many of the party pass with the scan that stands open. */
	setPeople(people: number): Promise<void>;
	/** A supervisor lets in whom the scanner did not. */
	overrule(): Promise<void>;
	/** People who pass without a look at permits. */
	count(people: number): Promise<void>;
	/** Takes people back from the count that stands open; the last one stays. */
	uncount(): Promise<void>;
	/** What stands open is as it is: it may be sent. */
	close(): Promise<void>;
	startCounting(reason: CountReason): Promise<void>;
	stopCounting(): Promise<void>;
	startEvacuation(): Promise<void>;
	stopEvacuation(): Promise<void>;
}

export function createDesk(deps: ScanDeps): Desk {
	const { state, store, changed } = deps;
	const seen = createSeen();
	let turn: Promise<unknown> = Promise.resolve();
	/** One after the other, and a fault of one is not the next one's. */
	const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
		const mine = turn.then(work);
		turn = mine.catch(() => undefined);
		return mine;
	};
	const kept = async (work: () => Promise<unknown>): Promise<boolean> => {
		try {
			await work();
			state.storageFault = false;
		} catch {
			state.storageFault = true;
		}
		state.queued = await store.waiting().catch(() => state.queued);
		state.link = afterEntry(state.link, deps.reading().uptimeMs);
		return !state.storageFault;
	};
	/** What this device cannot read any more keeps nobody out: that it keeps nothing is said. */
	const findUse = (id: string) =>
		store.findUse(id).catch(() => {
			state.storageFault = true;
			return undefined;
		});
	const close = () => {
		if (state.shown) state.shown = { ...state.shown, isOpen: false };
		state.count = null;
	};

	const scan = async (text: string, source: 'camera' | 'wedge' | 'typed'): Promise<Shown | null> => {
		const { uptimeMs } = deps.reading();
		const isNew = seen.show(text, uptimeMs, source === 'camera' ? undefined : sameTriggerMs);
		const { settings } = state;
		if (!settings || gateMode(state) !== 'check' || !isNew) return null;
		close();
		const time = knownTime(deps);
		const direction = gateDirection(state);
		const { keys, revocations } = state.lists;
		const startedAt = performance.now();
		const judgement = await judge(text, {
			...{ keys, revocations, settings, time, direction, findUse },
			verify: async (...signed) => {
				const isRight = await deps.verify(...signed);
				tellTime('scan-verified', startedAt);
				return isRight;
			}
		}).catch(() => withoutProof(settings, direction));
		tellTime('scan-judged', startedAt);
		const people = usualPeople(judgement);
		let entry!: PermitEntry;
		const isKept = await kept(() =>
			store.add((seq) => {
				entry = permitEntry(deps, { seq, judgement, people, text, direction });
				return { entry, used: useOf(judgement, entry, time.at) };
			})
		);
		entry ??= permitEntry(deps, { seq: 0, judgement, people, text, direction });
		state.shown = { judgement, entry, isOpen: isKept, isOverruled: false, isKept };
		changed();
		return state.shown;
	};

	const rewrite = async (entry: PermitEntry, isOverruled: boolean) => {
		const { shown } = state;
		if (!shown?.isOpen) return;
		const used = useOf(shown.judgement, entry, knownTime(deps).at);
		if (await kept(() => store.change(entry, used))) state.shown = { ...shown, entry, isOverruled };
		changed();
	};

	return {
		scan: (text, source) => inTurn(() => scan(text.slice(0, textMax + 1), source)),
		setPeople: (people) =>
			inTurn(async () => {
				const { shown } = state;
				if (!shown || (shown.judgement.verdict === 'red' && !shown.isOverruled)) return;
				const most = mostPeople(shown);
				const now = Math.min(most, Math.max(1, people));
				await rewrite(withPeople(shown.entry, now, shown.judgement), shown.isOverruled);
			}),
		overrule: () =>
			inTurn(async () => {
				const { shown } = state;
				if (shown?.judgement.verdict !== 'red' || shown.isOverruled) return;
				const flags = [...(shown.entry.flags ?? []), 'supervisor' as const];
				await rewrite({ ...shown.entry, people: 1, flags }, true);
			}),
		count: (people) => inTurn(() => count(people)),
		uncount: () => inTurn(() => count(-1)),
		close: () =>
			inTurn(async () => {
				close();
				state.link = afterEntry(state.link, deps.reading().uptimeMs);
				changed();
			}),
		startCounting: (reason) => keepMode({ countOnly: { reason, since: knownTime(deps).at } }),
		stopCounting: () => dropMode('countOnly'),
		startEvacuation: () => keepMode({ evacuation: { since: knownTime(deps).at } }),
		stopEvacuation: () => dropMode('evacuation')
	};

	async function count(people: number): Promise<void> {
		const mode = gateMode(state);
		if (mode === 'check' || !state.settings) return;
		const open = state.count;
		if (open && open.people + people <= countMax) {
			const next = { ...open, people: Math.max(1, open.people + people) };
			if (await kept(() => store.change(next))) state.count = next;
		} else if (people > 0) {
			const reason = mode === 'count-out' ? 'evacuation' : (state.countOnly?.reason ?? 'other');
			let entry!: CountEntry;
			const work = () =>
				store.add((seq) => {
					entry = {
						kind: 'count',
						...common(deps, seq, mode === 'count-out' ? 'out' : gateDirection(state)),
						people,
						reason
					};
					return { entry };
				});
			if (await kept(work)) state.count = entry;
		}
		changed();
	}
	function keepMode(values: Pick<Partial<typeof state>, 'countOnly' | 'evacuation'>): Promise<void> {
		return inTurn(async () => {
			close();
			state.shown = null;
			Object.assign(state, values);
			await kept(() => store.write(values as object));
			changed();
		});
	}
	function dropMode(name: 'countOnly' | 'evacuation'): Promise<void> {
		return inTurn(async () => {
			close();
			state[name] = null;
			await kept(() => store.forget(name));
			changed();
		});
	}
}

/** How many may pass with this answer; a supervisor counts by hand. */
export function mostPeople({ judgement, isOverruled }: Pick<Shown, 'judgement' | 'isOverruled'>): number {
	return isOverruled ? overruledMost : Math.max(1, judgement.most);
}

/** For whoever watches the page's times: nothing is kept. */
function tellTime(name: string, startedAt: number): void {
	performance.measure(name, { start: startedAt });
	performance.clearMeasures(name);
}

/** All of a proven party that may enter; one by one where nothing is proven. */
function usualPeople({ verdict, most, party }: Judgement): number {
	if (verdict === 'red') return 0;
	return party ? most : 1;
}

function common({ state, reading }: ScanDeps, seq: number, direction: 'in' | 'out') {
	const { boot, deviceAt, uptimeMs } = reading();
	return {
		...{ seq, boot, gate: state.settings!.gate.id, direction },
		...{ deviceAt: Math.max(0, Math.round(deviceAt)), uptimeMs: Math.round(uptimeMs) },
		offline: state.link.state !== 'online'
	};
}

function permitEntry(
	deps: ScanDeps,
	scan: { seq: number; judgement: Judgement; people: number; text: string; direction: 'in' | 'out' }
): PermitEntry {
	const { judgement, people } = scan;
	const { keys, revocations } = deps.state.lists;
	const entry: PermitEntry = {
		kind: 'permit',
		...common(deps, scan.seq, scan.direction),
		...{ verdict: judgement.verdict, people },
		...(judgement.cause ? { cause: judgement.cause } : {}),
		...(judgement.flags.length > 0 ? { flags: judgement.flags } : {}),
		...(judgement.permit ? { permit: judgement.permit } : {}),
		...(judgement.flags.includes('unknown-key') ? { text: scan.text.slice(0, textMax) } : {}),
		...(keys ? { keysVersion: keys.version } : {}),
		...(revocations ? { revocationsVersion: revocations.list.version } : {})
	};
	return people > 0 ? withPeople(entry, people, judgement) : entry;
}

function withPeople(entry: PermitEntry, people: number, { party, most }: Judgement): PermitEntry {
	if (!party || entry.direction === 'out' || most === 0) return { ...entry, people };
	const entered = Math.min(party.of, party.entered + people);
	return { ...entry, people, party: { entered, of: party.of } };
}

function useOf(judgement: Judgement, entry: Entry, at: number): UsedPermit | undefined {
	const { useId, untilSeconds, used } = judgement;
	if (!useId || entry.people === 0) return undefined;
	const { seq, direction, people } = entry;
	return withPass(used, { id: useId, untilSeconds }, { seq, at, direction, people });
}
