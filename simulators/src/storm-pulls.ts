import { randomInt } from 'node:crypto';
import { Pool } from 'undici';
import { retryAfterDelayMs, simulatedTenantHeader, type Problem } from '@marsad/server/contract';

/** Some who pull everything that is new, over and over. */
export interface PullersOptions {
	server: URL;
	cookie: string;
	/** They belong to this tenant, or each to one of its own. */
	tenant: string;
	isEachItsOwn?: boolean;
	pullers: number;
	/** Between one pull and the next of each, ms; 0: as fast as it goes. */
	everyMs: number;
	/** Does what a refusal says; else it asks again at once. */
	isObedient: boolean;
}

export interface PullFigures {
	/** Of pulls that were answered, ms. */
	answeredMs: number[];
	/** Refusals by reason. */
	refused: Record<string, number>;
	/** Anything else, by status; 0: no answer. */
	failed: Record<string, number>;
}

const answerTimeoutMs = 30_000;
const hammerPauseMs = 20;

/** Pulls until the signal aborts. Each puller keeps its cursors, as a client does. */
export async function runPullers(options: PullersOptions, signal: AbortSignal): Promise<PullFigures> {
	const figures: PullFigures = { answeredMs: [], refused: {}, failed: {} };
	const pool = new Pool(options.server.origin, {
		...{ connections: options.pullers, pipelining: 1 },
		...{ headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs }
	});
	try {
		await Promise.all(
			Array.from({ length: options.pullers }, (_, at) => {
				const tenant = options.isEachItsOwn ? `${options.tenant}-${at}` : options.tenant;
				return pullOn({ ...options, tenant }, pool, figures, signal);
			})
		);
	} finally {
		await pool.destroy();
	}
	return figures;
}

async function pullOn(
	{ cookie, tenant, everyMs, isObedient }: PullersOptions,
	pool: Pool,
	figures: PullFigures,
	signal: AbortSignal
): Promise<void> {
	const add = (table: Record<string, number>, key: string) => (table[key] = (table[key] ?? 0) + 1);
	const sleep = (ms: number) =>
		new Promise<void>((resolve) => {
			const timer = setTimeout(done, ms);
			function done() {
				clearTimeout(timer);
				signal.removeEventListener('abort', done);
				resolve();
			}
			signal.addEventListener('abort', done);
		});
	let cursors: Record<string, string> = {};
	await sleep(randomInt(Math.max(1, everyMs)));
	while (!signal.aborted) {
		const beganMs = performance.now();
		try {
			const response = await pool.request({
				...{ method: 'POST', path: '/api/v1/sync/pull', signal },
				headers: { cookie, 'content-type': 'application/json', [simulatedTenantHeader]: tenant },
				body: JSON.stringify({ cursors })
			});
			const body = (await response.body.json()) as {
				parts?: { kind: string; cursor: string }[];
			} & Partial<Problem>;
			if (response.statusCode === 200) {
				figures.answeredMs.push(performance.now() - beganMs);
				cursors = {
					...cursors,
					...Object.fromEntries((body.parts ?? []).map((part) => [part.kind, part.cursor]))
				};
				await sleep(everyMs * (0.5 + Math.random()));
				continue;
			}
			if (response.statusCode === 429 || response.statusCode === 503)
				add(figures.refused, String(body['reason'] ?? body.code));
			else add(figures.failed, String(response.statusCode));
			const seconds = Number(response.headers['retry-after'] ?? 1);
			await sleep(isObedient ? retryAfterDelayMs(seconds, Math.random) : hammerPauseMs);
		} catch {
			if (!signal.aborted) add(figures.failed, '0');
			await sleep(hammerPauseMs);
		}
	}
}
