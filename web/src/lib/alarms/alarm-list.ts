import type { Alarm, AlarmPriority } from '@marsad/server/contract';
import { comparePriority } from '../priority.ts';

/** Rows drawn at once; the rest is counted and said. */
export const rowsMax = 150;

/** Put aside by a person or by the system: it has lists of its own and is not among what needs a response. */
export function isAside(alarm: Alarm): boolean {
	return alarm.shelved !== null || alarm.suppressed !== null || alarm.outOfService !== null;
}

/** Whether somebody must still look at it. */
export function needsAck(alarm: Alarm): boolean {
	return alarm.state === 'unacknowledged' || alarm.state === 'returned-unacknowledged';
}

const stateRank: Record<Alarm['state'], number> = {
	unacknowledged: 0,
	acknowledged: 1,
	'returned-unacknowledged': 2,
	normal: 3
};

/** Worst first; of one priority those that nobody has seen, then what came first: it waits longest. */
export function compareAlarms(a: Alarm, b: Alarm): number {
	return (
		comparePriority(a.priority, b.priority) ||
		stateRank[a.state] - stateRank[b.state] ||
		a.raisedAt - b.raisedAt ||
		a.id.localeCompare(b.id)
	);
}

/** Those of a flood that stand together in one line: all of one zone, or of no zone. */
export interface FloodGroup {
	zone: string | null;
	count: number;
	worst: AlarmPriority;
}

export interface AlarmList {
	/** Each in a row of its own. */
	rows: Alarm[];
	/** Hidden by the flood, a line a zone; nothing of them is lost. */
	groups: FloodGroup[];
	/** Rows beyond {@link rowsMax}. */
	cut: number;
}

/** The list that needs a response; `unfold` shows what a flood hides. */
export function listAlarms(alarms: readonly Alarm[], unfold: boolean): AlarmList {
	const standing = alarms.filter((alarm) => !isAside(alarm) && alarm.state !== 'normal').sort(compareAlarms);
	const hidden = unfold ? [] : standing.filter((alarm) => alarm.inFlood);
	const rows = unfold ? standing : standing.filter((alarm) => !alarm.inFlood);
	const groups = new Map<string | null, FloodGroup>();
	for (const alarm of hidden) {
		const group = groups.get(alarm.zone) ?? { zone: alarm.zone, count: 0, worst: alarm.priority };
		group.count += 1;
		if (comparePriority(alarm.priority, group.worst) < 0) group.worst = alarm.priority;
		groups.set(alarm.zone, group);
	}
	return {
		rows: rows.slice(0, rowsMax),
		groups: [...groups.values()].sort((a, b) => b.count - a.count),
		cut: Math.max(0, rows.length - rowsMax)
	};
}

/** What a key asks of the alarm list. */
export type ListKey = 'next' | 'previous' | 'acknowledge' | 'confirm' | 'shelve' | 'take' | 'send' | 'mark';
const keys: Record<string, ListKey> = {
	ArrowDown: 'next',
	ArrowUp: 'previous',
	KeyA: 'acknowledge',
	KeyC: 'confirm',
	KeyS: 'shelve',
	KeyH: 'take',
	KeyD: 'send',
	KeyX: 'mark'
};
/** After `g` the next letter leads to another screen: it is not for the list. */
const goWithinMs = 1_500;

/** Reads keys by their place on the board, so that they work on an Arabic layout; never while somebody types. */
export function createListKeys() {
	let goAt = -Infinity;
	return (press: { code: string; at: number; hasModifier: boolean; isTyping: boolean }): ListKey | null => {
		if (press.hasModifier || press.isTyping) return null;
		const isAfterGo = press.at - goAt <= goWithinMs;
		goAt = press.code === 'KeyG' ? press.at : -Infinity;
		return isAfterGo ? null : (keys[press.code] ?? null);
	};
}

/** The id beside the chosen one; the first when nothing is chosen, and the same at either end. */
export function neighbour(ids: readonly string[], chosen: string | null, by: 1 | -1): string | null {
	const index = chosen === null ? -1 : ids.indexOf(chosen);
	if (index === -1) return ids[0] ?? null;
	return ids[Math.min(ids.length - 1, Math.max(0, index + by))] ?? null;
}
