/** Numbers already taken, as closed ranges in rising order: a device that loses nothing needs one. */
export type Ranges = [number, number][];

/** Which messages of a device were taken: by its boots and their sequence numbers. Small, and kept in the store. */
export type Seen = { boot: string; ranges: Ranges }[];

const rangesMax = 200;
const bootsMax = 64;

/** Whether (boot, seq) was taken before. */
export function wasSeen(seen: Seen, boot: string, seq: number): boolean {
	const ranges = seen.find((entry) => entry.boot === boot)?.ranges ?? [];
	return ranges.some(([from, to]) => seq >= from && seq <= to);
}

/** How many numbers are missing since the newest boot: they were lost on the way, or are late. */
export function countMissed(seen: Seen): number {
	const ranges = seen.at(-1)?.ranges ?? [];
	return ranges.reduce((sum, [from], index) => sum + (index === 0 ? 0 : from - ranges[index - 1]![1] - 1), 0);
}

/** Marks (boot, seq) as taken. The newest boot stands last; forgotten are only the oldest of many. */
export function markSeen(seen: Seen, boot: string, seq: number): void {
	let entry = seen.find((other) => other.boot === boot);
	if (!entry) {
		entry = { boot, ranges: [] };
		seen.push(entry);
		if (seen.length > bootsMax) seen.shift();
	}
	addToRanges(entry.ranges, seq);
}

function addToRanges(ranges: Ranges, value: number): void {
	let index = ranges.length;
	while (index > 0 && (ranges[index - 1]?.[0] ?? 0) > value) index--;
	const before = ranges[index - 1];
	if (before && value <= before[1]) return;
	const after = ranges[index];
	const joinsBefore = before !== undefined && before[1] + 1 === value;
	const joinsAfter = after !== undefined && after[0] === value + 1;
	if (joinsBefore && joinsAfter) {
		before[1] = after[1];
		ranges.splice(index, 1);
	} else if (joinsBefore) before[1] = value;
	else if (joinsAfter) after[0] = value;
	else ranges.splice(index, 0, [value, value]);
	// Too many holes: the oldest is closed, so that what is still missing there is refused rather than doubled.
	const [first, second] = ranges;
	if (ranges.length > rangesMax && first && second) ranges.splice(0, 2, [first[0], second[1]]);
}

/**
 * Device times of messages without a sequence, by channel, in order of arrival. Kept as bare numbers: two days of a
 * reading each five seconds are 35,000 of them for every device.
 */
export type SeenTimes = Map<string, { newest: number; times: number[] }>;

const timesMax = 40_000;

/** Whether a message of this channel and device time was taken. Only one that is not newer than all needs a search. */
export function wasTimeSeen(seen: SeenTimes, channel: string, deviceAt: number): boolean {
	const known = seen.get(channel);
	return known !== undefined && deviceAt <= known.newest && known.times.lastIndexOf(deviceAt) !== -1;
}

export function markTime(seen: SeenTimes, channel: string, deviceAt: number): void {
	const known = seen.get(channel) ?? { newest: deviceAt, times: [] };
	seen.set(channel, known);
	known.times.push(deviceAt);
	known.newest = Math.max(known.newest, deviceAt);
	if (known.times.length > timesMax * 1.1) known.times.splice(0, known.times.length - timesMax);
}

const keysMax = 20_000;

/** Marks a vendor's own key; forgotten are only the oldest of many. */
export function markKey(seen: Set<string>, key: string): void {
	seen.add(key);
	if (seen.size <= keysMax) return;
	for (const oldest of seen) {
		seen.delete(oldest);
		break;
	}
}
