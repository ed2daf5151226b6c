import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { RunBeat, RunBegin, RunBegun, RunEnd } from '@marsad/server/contract';
import { SimulatorError } from './session.ts';

/** What the generator of a run says to its server, under the run's own token. */
export interface SpikeLink {
	begin(body: RunBegin): Promise<RunBegun>;
	/** @returns true when the run is to stop */
	beat(body: RunBeat): Promise<boolean>;
	end(body: RunEnd): Promise<void>;
}

const answerTimeoutMs = 10_000;
const triesMax = 10;
const againMs = 1_000;

/** @throws SimulatorError from each call that the server refuses for good, or that nobody answers */
export function createSpikeLink(server: URL, run: string, token: string): SpikeLink {
	const post = async (what: string, body: unknown, tries: number): Promise<unknown> => {
		for (let turn = 1; ; turn++) {
			const answer = await ask(new URL(`/api/v1/runs/${run}/${what}`, server), token, body);
			if (answer?.status === 200) return answer.body;
			const mayComeAgain = answer === null || answer.status >= 500 || answer.status === 429;
			if (!mayComeAgain || turn >= tries) throw new SimulatorError(refusalOf(server, what, answer));
			await delay(againMs);
		}
	};
	return {
		begin: async (body) => (await post('begin', body, triesMax)) as RunBegun,
		beat: async (body) => ((await post('beat', body, 1)) as { stop: boolean }).stop,
		end: async (body) => void (await post('end', body, triesMax))
	};
}

async function ask(url: URL, token: string, body: unknown) {
	try {
		const response = await request(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
			body: JSON.stringify(body),
			...{ headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs }
		});
		return { status: response.statusCode, body: (await response.body.json()) as Record<string, unknown> };
	} catch {
		return null;
	}
}

function refusalOf(server: URL, what: string, answer: Awaited<ReturnType<typeof ask>>): string {
	if (answer === null) return `no server answers at ${server.origin} (${what})`;
	const { code, why } = answer.body;
	return `${server.origin} refused the run (${what}: ${[code ?? answer.status, why].filter(Boolean).join(', ')})`;
}
