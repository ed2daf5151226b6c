import { parseArgs } from 'node:util';
import { writeOut } from './demo-account.ts';
import { givenNames, readScenario, scenarioHelp, type GivenOptions } from './people-options.ts';
import { brokenRules, writeReport } from './people-report.ts';
import { runScenario } from './people-run.ts';
import { runPeople } from './people.ts';
import { readLine } from './replay-formats.ts';
import { runReplay } from './replay.ts';
import { playScanners, scannersHelp } from './scanners-command.ts';
import { createDemoScanners } from './scanners-demo.ts';
import { sensorScenarios } from './sensors-faults.ts';
import { runSensors } from './sensors.ts';
import { checkServer, SimulatorError } from './session.ts';
import { playStorm, stormHelp } from './storm-command.ts';
import { playSpike, spikeHelp } from './spike-command.ts';
import { demoStory } from './story.ts';

const serverDefault = 'http://127.0.0.1:3000';
const speedDefault = '60';
/** More people at once would only wait for this machine: a demo must leave it room to breathe. */
const aliveMax = 12_000;

interface Given {
	server: URL;
	files: string[];
	speed: string;
	device: string | undefined;
	series: string | undefined;
	line: string | undefined;
	scale: string;
	/** As it was given: a spike run may have its server on another machine. */
	address: string;
	runId: string | undefined;
	parameters: string | undefined;
	/** Options of a scenario, as they were given. */
	options: GivenOptions;
}

interface Command {
	usage: string;
	text: string;
	/** What has to be known before it is started. */
	notes?: readonly string[];
	run(given: Given, signal: AbortSignal): Promise<unknown>;
}

const commands: Readonly<Record<string, Command>> = {
	sensors: {
		usage: 'sensors [SCENARIO] [--seed N]',
		text: 'counters of the site, one reading each five seconds, from a crowd that obeys the gates',
		notes: Object.entries(sensorScenarios).map(([name, { text }]) => `${name.padEnd(10)} ${text}`),
		run({ server, files, options }, signal) {
			const [name, more] = files;
			if (more !== undefined) throw new SimulatorError('sensors takes one scenario');
			return runSensors({ server, story: demoStory, ...sensorOptions(name, options.seed) }, signal);
		}
	},
	replay: {
		usage: 'replay FILE [--speed N|max] [--device ID]',
		text: `a recorded series through the broker, N times as fast (${speedDefault})`,
		notes: [
			'Counts (time, in, out), running totals (turnstiles, gates by the day), one of several stations (--series',
			'NAME), or walked paths that are counted over a line (--line y=0).',
			'Its people enter the live figures: the zone behind that counter fills or empties on the wall, alarms its',
			'steps, and keeps the sum afterwards until it is recounted. Never replay into a site that people rely on.'
		],
		run({ server, files, speed, device, series, line }, signal) {
			const [file, more] = files;
			if (file === undefined || more !== undefined) throw new SimulatorError('replay takes one file');
			const choice = { series, line: readPlace(line) };
			const options = { server, file, choice, speed: readSpeed(speed) };
			return runReplay({ ...options, ...(device === undefined ? {} : { device }) }, signal);
		}
	},
	people: {
		usage: 'people [--scale N]',
		text: 'people who join, wait, claim and book as the story says, N times as many',
		run({ server, files, scale, options }, signal) {
			const [scenario, more] = files;
			if (more !== undefined) throw new SimulatorError('people takes one scenario');
			if (scenario !== undefined) return playScenario(server, scenario, options, signal);
			return runPeople(peopleOptions(server, scale), signal);
		}
	},
	scanners: {
		usage: 'scanners [KIND] [options]',
		text: 'gate scanners, good and bad, that read real permits and send what they scanned',
		notes: scannersHelp,
		run: ({ server, files, options }, signal) => playScanners(server, files, options, signal)
	},
	storm: {
		usage: 'storm [options]',
		text: 'thousands of screens and phones whose connections are all cut at once',
		notes: stormHelp,
		run: ({ server, options }, signal) => playStorm(server, options, signal)
	},
	spike: {
		usage: 'spike PROFILE | spike --run ID',
		text: 'a spike run: five phases of arrivals that wait for nobody, and its report',
		notes: spikeHelp,
		run: ({ address, files, runId, parameters, options }, signal) =>
			playSpike(
				{
					server: address,
					profile: files[0],
					run: runId,
					parameters,
					seed: options.seed,
					json: options.json
				},
				signal
			)
	},
	demo: {
		usage: 'demo [--scale N]',
		text: 'sensors, people and gate scanners in step with the story, until stopped',
		run({ server, scale }, signal) {
			const password = process.env['DEMO_PASSWORD'];
			const scanners = createDemoScanners({ server, password, print: printNews() });
			const { onCrowd, onBooked } = scanners.news;
			const people = { ...peopleOptions(server, scale), print: printNews(), onBooked };
			return together(
				[
					(inner) => runSensors({ server, story: demoStory, print: printNews(), onCrowd }, inner),
					(inner) => runPeople(people, inner),
					(inner) => scanners.run(inner)
				],
				signal
			);
		}
	}
};

/** Which options of a scenario other simulators take, too. */
const ownOptions: Readonly<Record<string, readonly string[]>> = {
	sensors: ['seed'],
	scanners: ['people', 'seconds', 'seed', 'json'],
	storm: ['sockets', 'patience', 'seed', 'json'],
	spike: ['seed', 'json']
};

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());

try {
	await main(process.argv.slice(2));
	// Sockets that are still being closed keep nobody waiting.
	process.exit(0);
} catch (error) {
	process.stderr.write(
		`marsad: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}\n`
	);
	process.exit(1);
}

async function main(args: string[]): Promise<void> {
	const { values, positionals } = readArguments(args);
	const [name, ...files] = positionals;
	if (values.help || name === undefined) {
		process.stdout.write(help());
		if (!values.help) throw new SimulatorError('name a simulator');
		return;
	}
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (!command)
		throw new SimulatorError(`there is no simulator "${name}": use ${Object.keys(commands).join(', ')}`);
	if (!['replay', 'people', 'sensors', 'scanners', 'spike'].includes(name) && files.length > 0)
		throw new SimulatorError(`${name} takes no "${files[0]}"`);
	const {
		speed,
		device,
		series,
		line,
		scale,
		server,
		run: runId,
		parameters,
		help: _help,
		...options
	} = values;
	const foreign = givenNames(options).find((option) => !ownOptions[name]?.includes(option));
	if (foreign !== undefined && (name !== 'people' || files.length === 0))
		throw new SimulatorError(`--${foreign} belongs to a scenario of people, such as: people opening`);
	const address = server;
	// A run of its own token is checked where it is read; everything else stays on this machine.
	const url = name === 'spike' && runId !== undefined ? new URL(serverDefault) : checkServer(server);
	await command.run(
		{ server: url, address, runId, parameters, files, speed, device, series, line, scale, options },
		stop.signal
	);
}

function readArguments(args: string[]) {
	try {
		return parseArgs({
			args,
			allowPositionals: true,
			options: {
				server: { type: 'string', default: serverDefault },
				speed: { type: 'string', default: speedDefault },
				device: { type: 'string' },
				series: { type: 'string' },
				line: { type: 'string' },
				scale: { type: 'string', default: '1' },
				people: { type: 'string' },
				seconds: { type: 'string' },
				mix: { type: 'string' },
				bots: { type: 'string' },
				seed: { type: 'string' },
				alive: { type: 'string' },
				sockets: { type: 'string' },
				patience: { type: 'string' },
				'time-scale': { type: 'string' },
				run: { type: 'string' },
				parameters: { type: 'string' },
				json: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false }
			}
		});
	} catch (error) {
		throw new SimulatorError(error instanceof Error ? error.message : 'the arguments cannot be read');
	}
}

function help(): string {
	const lines = Object.values(commands).flatMap(({ usage, text, notes = [] }) => [
		`  ${usage.padEnd(42)} ${text}`,
		...notes.map((note) => `  ${''.padEnd(42)} ${note}`)
	]);
	const scenario = `  ${'people SCENARIO [options]'.padEnd(42)} people of all kinds once, and a report of what became of them`;
	return [
		'npm run sim -- NAME [--server URL]',
		'',
		...lines,
		scenario,
		'',
		...scenarioHelp(),
		'',
		`  --server URL   a server on this machine that allows simulated sources (${serverDefault})`,
		''
	].join('\n');
}

function readSpeed(text: string): number {
	const speed = text === 'max' ? Infinity : Number(text);
	if (!(speed > 0)) throw new SimulatorError(`--speed takes a number above 0, or max; not "${text}"`);
	return speed;
}

/** @throws SimulatorError for what is no line across the way */
function readPlace(text: string | undefined) {
	try {
		return text === undefined ? undefined : readLine(text);
	} catch (error) {
		throw new SimulatorError(error instanceof Error ? error.message : String(error));
	}
}

/** @throws SimulatorError for a scenario that there is not, or a seed that is no number */
function sensorOptions(name: string | undefined, seedText: string | boolean | undefined) {
	const scenario =
		name !== undefined && Object.hasOwn(sensorScenarios, name) ? sensorScenarios[name] : undefined;
	if (name !== undefined && !scenario)
		throw new SimulatorError(
			`sensors takes no "${name}": there is ${Object.keys(sensorScenarios).join(', ')}`
		);
	const seed = Number(seedText ?? NaN);
	if (seedText !== undefined && !Number.isSafeInteger(seed))
		throw new SimulatorError(`--seed takes a whole number, not "${seedText}"`);
	return { ...(scenario && { scenario }), ...(seedText !== undefined && { seed }) };
}

function peopleOptions(server: URL, scaleText: string) {
	const scale = Number(scaleText);
	if (!(scale > 0) || !Number.isFinite(scale))
		throw new SimulatorError(`--scale takes a number above 0, not "${scaleText}"`);
	return { url: server.origin, story: demoStory.phases, scale, aliveMax };
}

/** Plays one scenario and prints its report. @throws SimulatorError when something happened that never may */
async function playScenario(
	server: URL,
	name: string,
	given: GivenOptions,
	signal: AbortSignal
): Promise<void> {
	const options = readScenario(server, name, given);
	// Nothing but the report goes to the output: a script reads it.
	const print = (line: string) => process.stderr.write(`${line}\n`);
	const report = await runScenario({ ...options, ...(given.json ? {} : { print }) }, signal);
	await writeOut(given.json ? `${JSON.stringify(report, null, '\t')}\n` : writeReport(report));
	const [broken] = brokenRules(report);
	if (broken !== undefined) throw new SimulatorError(`this must not happen: ${broken}`);
}

/** Prints a line only when it speaks of another part of the story than the last one: the demo has more to show. */
function printNews(): (line: string) => void {
	let last = '';
	return (line) => {
		const subject = line.split(' · ').slice(0, 2).join(' · ');
		if (subject === last) return;
		last = subject;
		process.stdout.write(`${line}\n`);
	};
}

/** Runs several at once; when one fails, the others are stopped as by a signal, and its error stands. */
async function together(
	runs: readonly ((signal: AbortSignal) => Promise<unknown>)[],
	signal: AbortSignal
): Promise<void> {
	const inner = new AbortController();
	signal.addEventListener('abort', () => inner.abort(), { once: true });
	const going = runs.map((run) =>
		run(inner.signal).catch((error: unknown) => {
			inner.abort();
			throw error;
		})
	);
	const ends = await Promise.allSettled(going);
	for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
