import { setTimeout as delay } from 'node:timers/promises';
import { runProfiles, type RunDetail, type RunProfile, type RunSummary } from '@marsad/server/contract';
import { readDemoPassword, writeOut } from './demo-account.ts';
import { createScannersApi } from './scanners-api.ts';
import { checkServer, SimulatorError } from './session.ts';
import { createSpikeLink } from './spike-link.ts';
import { runSpike } from './spike-run.ts';
import { openSpikeSockets, type SpikeSockets } from './spike-sockets.ts';
import { signInAs } from './storm.ts';

/** Lines for `--help`. */
export const spikeHelp: readonly string[] = [
	`Profiles: ${runProfiles.join(', ')}.`,
	'With a profile (--seed N, --parameters JSON, --json) it asks a demo or laboratory for the run, as its duty manager,',
	'whose password DEMO_PASSWORD names, and waits for the report. With --run ID it is the generator of a run that the',
	'board has ready, also from another machine: MARSAD_RUN_TOKEN is the token that the board shows.'
];

export interface SpikeGiven {
	server: string;
	profile: string | undefined;
	run: string | undefined;
	seed: string | boolean | undefined;
	parameters: string | undefined;
	json: string | boolean | undefined;
}

/** @throws SimulatorError when the run cannot be played, or did not pass */
export async function playSpike(given: SpikeGiven, signal: AbortSignal): Promise<void> {
	if (given.run !== undefined) return generate(given.run, given.server, signal);
	const { profile } = given;
	if (profile === undefined || !runProfiles.includes(profile as RunProfile))
		throw new SimulatorError(`spike takes a profile: ${runProfiles.join(', ')}`);
	await ask(checkServer(given.server), profile as RunProfile, given, signal);
}

/** The generator: everything that it needs comes from the server that named it. */
async function generate(id: string, address: string, signal: AbortSignal): Promise<void> {
	const token = process.env['MARSAD_RUN_TOKEN'];
	if (!token) throw new SimulatorError('MARSAD_RUN_TOKEN must be the token that the board shows');
	const url = URL.canParse(address) ? new URL(address) : null;
	if (!url || !/^https?:$/.test(url.protocol))
		throw new SimulatorError(`"${address}" is no address of a server`);
	const password = process.env['DEMO_PASSWORD'];
	// Signed in before the run begins: nobody is kept waiting in it.
	const cookie = password ? await signInAs(url, 'viewer@example.org', password).catch(() => null) : null;
	const openSockets = (run: Parameters<typeof openSpikeSockets>[2]): SpikeSockets | null =>
		cookie === null || run.parameters.sockets === 0 ? null : openSpikeSockets(url, cookie, run);
	const print = (line: string) => void process.stdout.write(`${line}\n`);
	await runSpike({ server: url, link: createSpikeLink(url, id, token), openSockets, print }, signal);
}

/** Asks for a run, as the button on the board does, and follows it to its report. */
async function ask(server: URL, profile: RunProfile, given: SpikeGiven, signal: AbortSignal): Promise<void> {
	const api = createScannersApi(() => server);
	try {
		const cookie = await signInAs(server, 'duty@example.org', readDemoPassword());
		const { model, ...parameters } = readParameters(given.parameters);
		const started = await api.staff<RunSummary>('POST', '/api/v1/runs', cookie, {
			...{ kind: model ? 'model' : 'load', profile, parameters, reason: 'asked for at a terminal' },
			...(model ? { model } : {}),
			...(given.seed === undefined ? {} : { seed: Number(given.seed) })
		});
		if (!started.ok) throw new SimulatorError(`the run was refused: ${started.code}`);
		const { id } = started.body;
		process.stderr.write(`spike · ${server.origin}/control/spike/runs/${id}\n`);
		for (;;) {
			const answer = await api.staff<RunDetail>('GET', `/api/v1/runs/${id}`, cookie);
			if (!answer.ok) throw new SimulatorError(`the report was refused: ${answer.code}`);
			const { run } = answer.body;
			if (run.state === 'finished') return await show(answer.body, Boolean(given.json));
			if (run.state === 'withdrawn' || run.state === 'expired')
				throw new SimulatorError(`the run is ${run.state}`);
			if (signal.aborted) return void (await api.staff('POST', `/api/v1/runs/${id}/stop`, cookie, {}));
			await delay(1_000, undefined, { signal }).catch(() => undefined);
		}
	} finally {
		await api.close();
	}
}

async function show(detail: RunDetail, asJson: boolean): Promise<void> {
	const { run, report } = detail;
	const lines = [
		`verdict ........ ${run.verdict}${run.invalidBy ? ` (${run.invalidBy})` : ''}`,
		...(report?.rules ?? []).map(
			({ rule, holds, value, limit }) =>
				`${holds ? '  kept  ' : '  BROKEN'} ${rule}: ${value ?? 'unknown'} (limit ${limit})`
		),
		`narrowest ...... ${run.narrowest ? `${run.narrowest.part} ${run.narrowest.id}` : 'none'}`,
		`suggested ...... ${run.narrowest?.suggestedPerSecond ?? '–'} a second`,
		`again .......... ${detail.replay}`
	];
	await writeOut(asJson ? `${JSON.stringify(detail, null, '\t')}\n` : `${lines.join('\n')}\n`);
	if (run.verdict !== 'passed') throw new SimulatorError(`the run is ${run.verdict}`);
}

function readParameters(text: string | undefined): Record<string, unknown> {
	if (text === undefined) return {};
	try {
		const parsed: unknown = JSON.parse(text);
		if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
			return parsed as Record<string, unknown>;
	} catch {
		// Said below, as for anything else that is no object.
	}
	throw new SimulatorError('--parameters takes a JSON object');
}
