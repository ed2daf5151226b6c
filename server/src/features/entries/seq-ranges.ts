/** Inclusive ranges of whole numbers, ascending, each as long as can be. */
export function toRanges(numbers: Iterable<number>): [number, number][] {
	const ranges: [number, number][] = [];
	for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else ranges.push([number, number]);
	}
	return ranges;
}
