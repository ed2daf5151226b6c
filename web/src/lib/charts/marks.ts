/** Marks of a chart that stand under one name, and where that begins. */
export interface MarkGroup<T> {
	marks: T[];
	/** Left edge of the name, pixels. */
	left: number;
	width: number;
}

/**
 * Names every mark of a chart: those whose names would touch share one. In order of time; names stay inside the chart.
 * @param widthOf how wide the name of some marks is, pixels
 */
export function groupMarks<T extends { at: number }>(
	marks: readonly T[],
	chart: {
		x: (at: number) => number;
		width: number;
		gap: number;
		widthOf: (marks: readonly T[]) => number;
	}
): MarkGroup<T>[] {
	const groups: MarkGroup<T>[] = [];
	for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
		let group = [mark];
		for (;;) {
			const width = chart.widthOf(group);
			const left = Math.max(0, Math.min(chart.x(group[0]!.at) + chart.gap, chart.width - width));
			const before = groups.at(-1);
			if (!before || before.left + before.width + chart.gap <= Math.min(left, chart.x(group[0]!.at))) {
				groups.push({ marks: group, left, width });
				break;
			}
			groups.pop();
			group = [...before.marks, ...group];
		}
	}
	return groups;
}
