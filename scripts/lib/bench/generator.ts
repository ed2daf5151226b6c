import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { AnswersJob, AnswersResult, GatedJob, Job, OpeningJob, PeopleResult } from './generator-jobs.ts';

/** A process that makes load: it is told one job after the other by its parent, and answers each with its result. */
// Preloading has let go of the channel: waiting for the next job must keep this process alive.
process.channel?.ref();
process.on('message', (job: Job) => {
	void run(job).then(
		(result) => process.send?.({ result }),
		(error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) })
	);
});

function run(job: Job): Promise<AnswersResult | PeopleResult> {
	switch (job.kind) {
		case 'answers':
			return askAll(job);
		case 'opening':
			return openDoors(job);
		case 'gated':
			return letIn(job);
	}
}

type Reply = { status: number; body: Record<string, unknown>; retryAfterMs: number | null };

function openPool(url: string, connections: number): Pool {
	return new Pool(url, { connections, pipelining: 1, keepAliveTimeout: 8_000, headersTimeout: 60_000 });
}

async function askAll(job: AnswersJob): Promise<AnswersResult> {
	const pool = openPool(job.url, job.connections);
	const statuses: Record<string, number> = {};
	let next = 0;
	let bytes = 0;
	const startedAt = performance.now();
	const worker = async () => {
		while (next < job.count) {
			const index = job.from + next++;
			const body = job.bodies?.[index % job.bodies.length];
			const token = job.tokens?.[index % job.tokens.length];
			const response = await pool.request({
				method: job.method,
				path: job.paths[index % job.paths.length]!,
				headers: {
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
					...(token === undefined ? {} : { authorization: `Bearer ${token}` })
				},
				...(body === undefined ? {} : { body })
			});
			bytes += (await response.body.arrayBuffer()).byteLength;
			statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
		}
	};
	await Promise.all(Array.from({ length: job.connections }, worker));
	const ms = performance.now() - startedAt;
	await pool.destroy();
	return { count: job.count, ms, bytes, statuses };
}

/** Everybody's calls over kept connections, and what came of them. */
function createPeople(url: string, connections: number) {
	const pool = openPool(url, connections);
	const result: PeopleResult = {
		...{ booked: 0, gaveUp: 0, permits: 0, polls: 0, ms: 0 },
		...{ statuses: {}, bookMs: [], waitMs: [] }
	};
	const permits = new Set<string>();
	const call = async (name: string, path: string, body?: object, token?: string): Promise<Reply> => {
		const response = await pool.request({
			method: body ? 'POST' : 'GET',
			path,
			headers: {
				...(body ? { 'content-type': 'application/json' } : {}),
				...(token === undefined ? {} : { 'x-token': token })
			},
			...(body ? { body: JSON.stringify(body) } : {})
		});
		const text = await response.body.text();
		const key = `${name} ${response.statusCode}`;
		result.statuses[key] = (result.statuses[key] ?? 0) + 1;
		const seconds = Number(response.headers['retry-after'] ?? NaN);
		return {
			status: response.statusCode,
			body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
			retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null
		};
	};
	const book = async (user: string, slots: number, first: number, token?: string): Promise<void> => {
		for (let turn = 0; turn < triesMax; turn++) {
			const slot = 1 + ((first + turn * 7) % slots);
			const startedAt = performance.now();
			const body = token === undefined ? { user, slot } : { user, slot, gated: 1 };
			const reply = await call('book', '/book', body, token);
			if (reply.status === 200) {
				result.bookMs.push(performance.now() - startedAt);
				result.booked += 1;
				permits.add(JSON.stringify(reply.body['permit']));
				return;
			}
			if (reply.status === 503 || reply.status === 429) await comeBack(reply);
			else if (reply.status !== 409) break;
		}
		result.gaveUp += 1;
	};
	const finish = async (startedAt: number): Promise<PeopleResult> => {
		result.permits = permits.size;
		result.ms = performance.now() - startedAt;
		await pool.destroy();
		return result;
	};
	return { call, book, finish, result };
}

const triesMax = 40;
const connectionsMax = 1_000;

/** R seconds and up to half as much again, never less. */
async function comeBack(reply: Reply): Promise<void> {
	const ms = reply.retryAfterMs ?? 2_000;
	await delay(ms + (Math.random() * ms) / 2);
}

async function openDoors({ url, people, slots }: OpeningJob): Promise<PeopleResult> {
	const crowd = createPeople(url, Math.min(people, 2_000));
	const startedAt = performance.now();
	await Promise.all(
		Array.from({ length: people }, (_, index) => crowd.book(`opening-${index}`, slots, index))
	);
	return crowd.finish(startedAt);
}

const waitMaxMs = 300_000;

async function letIn(job: GatedJob): Promise<PeopleResult> {
	const crowd = createPeople(job.url, Math.min(job.people, connectionsMax));
	const startedAt = performance.now();
	const person = async (index: number) => {
		const user = `gated-${job.pace}-${index}`;
		const token = await waitForPass(job, crowd, user, startedAt);
		if (token === null) crowd.result.gaveUp += 1;
		else await crowd.book(user, job.slots, index, token);
	};
	await Promise.all(Array.from({ length: job.people }, (_, index) => person(index)));
	return crowd.finish(startedAt);
}

async function waitForPass(
	job: GatedJob,
	crowd: ReturnType<typeof createPeople>,
	user: string,
	startedAt: number
): Promise<string | null> {
	const joined = await crowd.call('join', '/queue/join', { user });
	if (joined.status !== 200) return null;
	let told = joined.body;
	while (typeof told['token'] !== 'string') {
		if (performance.now() - startedAt > waitMaxMs) return null;
		await delay(nextPollMs(job.pace, Number(told['pollAfterMs'] ?? 1_000)));
		const ticket = encodeURIComponent(String(joined.body['ticket']));
		const reply = await crowd.call('status', `/queue/status?user=${user}&ticket=${ticket}`);
		crowd.result.polls += 1;
		if (reply.status === 200) told = reply.body;
		else if (reply.status === 429 || reply.status === 503) await comeBack(reply);
		else return null;
	}
	crowd.result.waitMs.push(performance.now() - startedAt);
	return told['token'] as string;
}

/** In step: all pages on the same beat of one second, as pages do that count from the same opening. */
function nextPollMs(pace: GatedJob['pace'], toldMs: number): number {
	if (pace === 'told') return toldMs;
	if (pace === 'in-step') return 1_000 - (Date.now() % 1_000);
	return 500 + Math.random() * 1_000;
}
