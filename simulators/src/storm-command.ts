import { drawSeed } from './chance.ts';
import { readDemoPassword, writeOut } from './demo-account.ts';
import { readNumber, type GivenOptions } from './people-options.ts';
import { SimulatorError } from './session.ts';
import { writeStormReport } from './storm-report.ts';
import { mixedGroups, runStorm, stormSocketsMax } from './storm.ts';

const defaults = { sockets: 1_000, patienceSeconds: 180 };

/** Lines for `--help`. */
export const stormHelp: readonly string[] = [
	'All are cut at the same moment and come back (--sockets N, --patience SECONDS, --seed N, --json). They watch as',
	'the viewer of the demo, whose password DEMO_PASSWORD names.'
];

/** Plays a storm and writes its report. @throws SimulatorError when somebody who obeys is not back, or shows what is not so */
export async function playStorm(server: URL, given: GivenOptions, signal: AbortSignal): Promise<void> {
	const whole = (option: 'sockets' | 'patience', fallback: number, to: number) =>
		readNumber(option, given[option], { fallback, from: 1, to, isWhole: true });
	const wanted = {
		groups: mixedGroups(whole('sockets', defaults.sockets, stormSocketsMax)),
		patienceSeconds: whole('patience', defaults.patienceSeconds, 3_600),
		seed: readNumber('seed', given.seed, { fallback: drawSeed(), from: 0, to: 4_294_967_295, isWhole: true }),
		print: (line: string) => process.stderr.write(`${line}\n`)
	};
	const report = await runStorm({ server, password: readDemoPassword(), ...wanted }, signal);
	await writeOut(given.json ? `${JSON.stringify(report, null, '\t')}\n` : writeStormReport(report));
	const lost = report.groups.find(({ temper, right, sockets }) => temper === 'obedient' && right < sockets);
	if (lost)
		throw new SimulatorError(
			`this must not happen: ${lost.sockets - lost.right} of ${lost.name} are not right`
		);
}
