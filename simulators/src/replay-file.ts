/** One row of a recorded series; a direction that is absent was not counted, which is not 0. */
export interface RecordedRow {
	/** Line of the file, for messages. */
	line: number;
	/** Time as the file has it. */
	recordedAt: string;
	/** The same, epoch ms; a time without a zone is taken as it stands, for it only tells how far rows lie apart. */
	recordedMs: number;
	in?: number;
	out?: number;
}

const timeNames = ['time_local', 'time'];
const countMax = 1_000_000_000;
const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Reads a recorded series: CSV with the columns `time_local` or `time`, `in`, `out`, in any order. Rows with no
 * count at all are left out: an empty cell is no reading.
 * @throws Error that names the line, when a row is not what it should be
 */
export function readRecording(text: string): RecordedRow[] {
	const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
	const header = (lines[0] ?? '').split(',').map((name) => name.trim().toLowerCase());
	const column = {
		time: header.findIndex((name) => timeNames.includes(name)),
		in: header.indexOf('in'),
		out: header.indexOf('out')
	};
	if (column.time === -1 || (column.in === -1 && column.out === -1))
		throw new Error('line 1: the header must name time_local or time, and in, out or both');
	return lines.flatMap((content, index) => {
		const line = index + 1;
		if (line === 1 || content.trim() === '') return [];
		const cells = content.split(',').map((cell) => cell.trim());
		if (cells.length !== header.length)
			throw new Error(`line ${line}: ${cells.length} columns where the header has ${header.length}`);
		const recordedAt = cells[column.time] ?? '';
		const counts = {
			...readCount(cells[column.in], 'in', line),
			...readCount(cells[column.out], 'out', line)
		};
		const recordedMs = readTime(recordedAt, line);
		return Object.keys(counts).length === 0 ? [] : [{ line, recordedAt, recordedMs, ...counts }];
	});
}

/** Epoch ms of a time as files have it. @throws Error that names the line */
export function readTime(text: string, line: number): number {
	const time = isTime.test(text) ? Date.parse(hasZone.test(text) ? text : `${text}Z`) : NaN;
	if (Number.isNaN(time)) throw new Error(`line ${line}: "${text}" is no time like 2026-02-25T18:00:00`);
	return time;
}

function readCount(
	cell: string | undefined,
	name: 'in' | 'out',
	line: number
): { in?: number; out?: number } {
	if (cell === undefined || cell === '') return {};
	const count = /^\d{1,10}(?:\.0+)?$/.test(cell) ? Number(cell) : NaN;
	if (!(count <= countMax)) throw new Error(`line ${line}: ${name} is "${cell}", not a number of people`);
	return { [name]: count };
}
