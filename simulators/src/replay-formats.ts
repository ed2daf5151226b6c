import { readRecording, readTime, type RecordedRow } from './replay-file.ts';
import { crossingsBySecond, guessColumns, readTrajectories, type CountingLine } from './trajectories.ts';

/** A recorded series, and what its numbers are. */
export interface Recording {
	rows: RecordedRow[];
	/** Running totals of the device; else people since the row before. */
	isTotal: boolean;
	/** Rows that hold no number (`NA`, `Gate broken`): no reading, and never 0. */
	withoutNumber: number;
}

/** What has to be said where a file holds more than one series, or none yet. */
export interface RecordingChoice {
	/** A station or a column by its name. */
	series?: string | undefined;
	/** Where walked paths are counted. */
	line?: CountingLine | undefined;
}

interface Format {
	/** Whether the columns of the first line are those of this format. */
	isIt(header: readonly string[]): boolean;
	read(text: string, header: readonly string[], choice: RecordingChoice): Recording;
}

/**
 * Reads a recording in one of the shapes that counters are published in; which one is told by its first line.
 * @throws Error in one sentence, with the line where there is one
 */
export function readSeries(text: string, choice: RecordingChoice = {}): Recording {
	const clean = text.replace(/^\uFEFF/, '');
	const header = cellsOf(clean.split(/\r\n|\r|\n/, 1)[0] ?? '').map((name) => name.toLowerCase());
	const format = formats.find(({ isIt }) => isIt(header));
	if (format) return format.read(clean, header, choice);
	if (isTrajectories(clean)) return readPaths(clean, choice);
	// Says itself what its first line must be.
	return { rows: readRecording(clean), isTotal: false, withoutNumber: 0 };
}

const cellsOf = (line: string) => line.split(',').map((cell) => cell.trim());
const isTotals = (header: readonly string[]) => header.includes('entries') && header.includes('exits');

const formats: readonly Format[] = [
	{
		isIt: (header) => header.includes('date') && header.includes('time') && isTotals(header),
		read(text, header) {
			const [date, time] = [header.indexOf('date'), header.indexOf('time')];
			const [into, out] = [header.indexOf('entries'), header.indexOf('exits')];
			return readCells(text, { isTotal: true }, (cells) => {
				const [month = '', day = '', year = ''] = (cells[date] ?? '').split('/');
				return { at: `${year}-${month}-${day}T${cells[time] ?? ''}`, in: cells[into], out: cells[out] };
			});
		}
	},
	{
		isIt: (header) => header.join() === 'dates,counts',
		read: (text) =>
			readCells(text, { isTotal: true }, ([date = '', count]) => ({ at: dayOf(date), in: count }))
	},
	{
		isIt: (header) => header.join() === 'date,station,id,count',
		read(text, _, { series }) {
			const names = new Set(bodyOf(text).flatMap(({ cells }) => cells[2] ?? []));
			const wanted = pickSeries([...names], series);
			return readCells(text, { isTotal: false }, ([date = '', , id, count]) =>
				id === wanted ? { at: `${date}T00:00`, in: count } : null
			);
		}
	},
	{
		isIt: (header) => header[0] === 'timestamp' && header.length > 1,
		read(text, header, { series }) {
			const wanted = pickSeries(header.slice(1), series?.toLowerCase());
			const column = header.indexOf(wanted, 1);
			return readCells(text, { isTotal: false }, (cells) => ({ at: cells[0] ?? '', in: cells[column] }));
		}
	},
	{
		isIt: (header) => header[0] === 'year_hijri',
		read() {
			throw new Error('line 1: this file holds sums of whole years, which no counter has sent');
		}
	}
];

interface Cells {
	at: string;
	in: string | undefined;
	out?: string | undefined;
}

/** Rows of one series; those without a number are left out and counted. */
function readCells(
	text: string,
	{ isTotal }: { isTotal: boolean },
	pick: (cells: readonly string[]) => Cells | null
): Recording {
	const recording: Recording = { rows: [], isTotal, withoutNumber: 0 };
	for (const { line, cells } of bodyOf(text)) {
		const picked = pick(cells);
		if (!picked) continue;
		const counts = { ...toCount('in', picked.in), ...toCount('out', picked.out) };
		if (Object.keys(counts).length === 0) recording.withoutNumber += 1;
		else
			recording.rows.push({ line, recordedAt: picked.at, recordedMs: readTime(picked.at, line), ...counts });
	}
	return recording;
}

function bodyOf(text: string): { line: number; cells: string[] }[] {
	return text
		.split(/\r\n|\r|\n/)
		.map((content, index) => ({ line: index + 1, cells: cellsOf(content) }))
		.filter(({ line, cells }) => line > 1 && cells.join('') !== '');
}

/** Padded with zeros, or with a decimal that is none; a word is no number. */
function toCount(side: 'in' | 'out', cell: string | undefined): { in?: number; out?: number } {
	return cell !== undefined && /^\d{1,10}(?:\.0+)?$/.test(cell) ? { [side]: Number(cell) } : {};
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `01-Sep-21` as `2021-09-01T00:00`. */
function dayOf(text: string): string {
	const [day = '', month = '', year = ''] = text.split('-');
	const number = months.indexOf(month.toLowerCase()) + 1;
	return `20${year}-${String(number).padStart(2, '0')}-${day}T00:00`;
}

function pickSeries(names: readonly string[], wanted: string | undefined): string {
	const [only] = names;
	if (wanted === undefined && names.length === 1 && only !== undefined) return only;
	if (wanted !== undefined && names.includes(wanted)) return wanted;
	const some = names.slice(0, 6).join(', ');
	const more = names.length > 6 ? ` and ${names.length - 6} more` : '';
	throw new Error(
		`line 1: this file holds several series: name one with --series, such as ${some}${more}${wanted === undefined ? '' : `; "${wanted}" is none`}`
	);
}

const pathRow = /^\s*-?\d[\d.]*\s+-?\d[\d.]*\s+-?[\d.]+\s+-?[\d.]+/;

/** Remarks, then rows of four numbers. */
function isTrajectories(text: string): boolean {
	const first = text.split(/\r?\n/).find((content) => content.trim() !== '' && !content.startsWith('#'));
	return first !== undefined && pathRow.test(first);
}

const framesPerSecondDefault = 25;
/** Paths have no date: any will do, for only what lies between two rows matters. */
const pathsFromMs = Date.UTC(2000, 0, 1);

/** What a counter over a line would have said of everybody, second by second. */
function readPaths(text: string, { line }: RecordingChoice): Recording {
	if (!line)
		throw new Error('line 1: these are walked paths: say where they are counted, such as --line y=0');
	const told = Number(/^#.*framerate:\s*([\d.]+)/m.exec(text)?.[1] ?? NaN);
	const framesPerSecond = told > 0 ? told : framesPerSecondDefault;
	const steps = readTrajectories(text, guessColumns(text));
	const rows = crossingsBySecond(steps, line, framesPerSecond).map(({ second, up, down }, index) => {
		const recordedMs = pathsFromMs + second * 1_000;
		return {
			...{ line: index + 1, recordedAt: new Date(recordedMs).toISOString(), recordedMs },
			...{ in: up, out: down }
		};
	});
	return { rows, isTotal: false, withoutNumber: 0 };
}

/** `x=5` or `y=-0.5`. @throws Error for anything else */
export function readLine(text: string): CountingLine {
	const found = /^([xy])=(-?\d+(?:\.\d+)?)$/.exec(text.trim());
	if (!found) throw new Error(`--line takes a line across the way such as y=0 or x=5, not "${text}"`);
	return { axis: found[1] as 'x' | 'y', at: Number(found[2]) };
}
