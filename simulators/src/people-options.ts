import { drawSeed } from './chance.ts';
import { runLimits, type RunOptions } from './people-run.ts';
import { mixOf, scenarios } from './people-scenarios.ts';
import { mixes, type MixName } from './people-temper.ts';
import { SimulatorError } from './session.ts';

/** Options of `people SCENARIO`, as parseArgs reads them, with the word for their value and what they say. */
export const scenarioOptions = {
	people: { value: 'N', text: `how many come (at most ${runLimits.people})` },
	seconds: { value: 'N', text: 'over how many seconds they arrive' },
	mix: { value: 'NAME', text: `how they behave: ${Object.keys(mixes).join(', ')}` },
	bots: { value: 'N', text: 'bots for each of them (0 to 20)' },
	seed: { value: 'N', text: 'the same seed draws the same people at the same moments' },
	alive: { value: 'N', text: `people under way at the same moment (${runLimits.alive} at most)` },
	sockets: { value: 'N', text: `connections at the same moment (${runLimits.sockets} at most)` },
	patience: { value: 'N', text: 'ends so many seconds after the last arrival, whoever is still under way' },
	'time-scale': { value: 'N', text: "the server's LAB_TIME_SCALE" },
	json: { value: '', text: 'the report as JSON' }
} as const;
export type ScenarioOption = keyof typeof scenarioOptions;
export type GivenOptions = Partial<Record<ScenarioOption, string | boolean | undefined>>;

const defaults = { alive: 15_000, sockets: 500, patienceSeconds: 900 };

/**
 * Reads what was given for one scenario.
 * @throws SimulatorError with one line for the first value that cannot be used
 */
export function readScenario(server: URL, name: string, given: GivenOptions): RunOptions {
	const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
	if (!scenario)
		throw new SimulatorError(`there is no scenario "${name}": use ${Object.keys(scenarios).join(', ')}`);
	const number = (option: ScenarioOption, fallback: number, from: number, to: number, isWhole = true) =>
		readNumber(option, given[option], { fallback, from, to, isWhole });
	const people = number('people', scenario.people, 1, runLimits.people);
	const seconds = number('seconds', scenario.seconds, 0.1, 86_400, false);
	const seed = number('seed', drawSeed(), 0, 4_294_967_295);
	const mix = mixOf(scenario, readMix(given.mix));
	return {
		...{ url: server.origin, scenario: name, people, seed, mix },
		profile: scenario.profile(seconds),
		botsPerPerson: number('bots', scenario.botsPerPerson, 0, 20, false),
		timeScale: number('time-scale', 1, 0.1, 10_000, false),
		aliveMax: number('alive', defaults.alive, 1, runLimits.alive),
		sockets: number('sockets', defaults.sockets, 1, runLimits.sockets),
		patienceSeconds: number('patience', defaults.patienceSeconds, 1, 86_400, false),
		replay: replayCommand(server, name, { ...given, seed: String(seed) })
	};
}

/** Which of the options that belong to a scenario were given. */
export function givenNames(given: GivenOptions): ScenarioOption[] {
	return (Object.keys(scenarioOptions) as ScenarioOption[]).filter(
		(option) => given[option] !== undefined && given[option] !== false
	);
}

/** Lines for `--help`. */
export function scenarioHelp(): string[] {
	return [
		...Object.entries(scenarios).map(([name, { text }]) => `    ${name.padEnd(12)} ${text}`),
		'',
		...Object.entries(scenarioOptions).map(
			([option, { value, text }]) => `    ${`--${option} ${value}`.padEnd(18)} ${text}`
		)
	];
}

/** @throws SimulatorError with one line for a value that cannot be used */
export function readNumber(
	option: ScenarioOption,
	text: string | boolean | undefined,
	{ fallback, from, to, isWhole }: { fallback: number; from: number; to: number; isWhole: boolean }
): number {
	if (text === undefined) return fallback;
	const value = typeof text === 'string' && text.trim() !== '' ? Number(text) : NaN;
	if (value >= from && value <= to && (!isWhole || Number.isInteger(value))) return value;
	const kind = isWhole ? 'a whole number' : 'a number';
	throw new SimulatorError(`--${option} takes ${kind} from ${from} to ${to}, not "${text}"`);
}

function readMix(text: string | boolean | undefined): MixName | undefined {
	if (text === undefined) return undefined;
	if (typeof text === 'string' && Object.hasOwn(mixes, text)) return text as MixName;
	throw new SimulatorError(`--mix takes ${Object.keys(mixes).join(', ')}, not "${text}"`);
}

function replayCommand(server: URL, name: string, given: GivenOptions): string {
	const options = givenNames(given)
		.filter((option) => option !== 'json')
		.map((option) => ` --${option} ${given[option]}`);
	return `npm run sim -- people ${name} --server ${server.origin}${options.join('')}`;
}
