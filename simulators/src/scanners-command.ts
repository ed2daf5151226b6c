import { drawSeed } from './chance.ts';
import { readDemoPassword, writeOut } from './demo-account.ts';
import { readNumber, type GivenOptions } from './people-options.ts';
import { scannerKindNames, scannerKinds, type ScannerKindName } from './scanners-kinds.ts';
import { writeScannersReport } from './scanners-report.ts';
import { runScanners, scannersPeopleMax } from './scanners.ts';
import { SimulatorError } from './session.ts';

const defaults = { people: 400, seconds: 30 };

/** Lines for `--help`. */
export const scannersHelp: readonly string[] = [
	'KIND is one of these, all of them without it (--people N, --seconds N, --seed N, --json). Made by the',
	'administrator of the demo, whose password DEMO_PASSWORD names: the demo prints it when it starts.',
	...Object.entries(scannerKinds).map(([name, { text }]) => `${name.padEnd(13)} ${text}`)
];

/** Plays scanners and writes their report. @throws SimulatorError when something happened that never may */
export async function playScanners(
	server: URL,
	[name, more]: readonly string[],
	given: GivenOptions,
	signal: AbortSignal
): Promise<void> {
	if (more !== undefined) throw new SimulatorError('scanners takes one kind');
	const whole = (option: 'people' | 'seconds', fallback: number, to: number) =>
		readNumber(option, given[option], { fallback, from: 1, to, isWhole: true });
	const wanted = {
		kinds: name === undefined ? scannerKindNames : [readKind(name)],
		people: whole('people', defaults.people, scannersPeopleMax),
		seconds: whole('seconds', defaults.seconds, 3_600),
		seed: readNumber('seed', given.seed, { fallback: drawSeed(), from: 0, to: 4_294_967_295, isWhole: true }),
		print: (line: string) => process.stderr.write(`${line}\n`)
	};
	const report = await runScanners({ server, password: readDemoPassword(), ...wanted }, signal);
	await writeOut(given.json ? `${JSON.stringify(report, null, '\t')}\n` : writeScannersReport(report));
	if (report.broken[0] !== undefined) throw new SimulatorError(`this must not happen: ${report.broken[0]}`);
}

function readKind(name: string): ScannerKindName {
	const kind = scannerKindNames.find((one) => one === name);
	if (kind) return kind;
	throw new SimulatorError(`scanners takes no "${name}": there is ${scannerKindNames.join(', ')}`);
}
