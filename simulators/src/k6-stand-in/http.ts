import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
import { registry } from './registry.ts';

interface Params {
	headers?: Record<string, string>;
	tags?: Record<string, string>;
	responseType?: string;
}
interface Response {
	status: number;
	body: string;
	/** Names as Go writes them: `Retry-After`. */
	headers: Record<string, string>;
	timings: { duration: number };
}

const answerTimeoutMs = 60_000;
const channel = new MessageChannel();
const signal = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(new URL('./http-worker.ts', import.meta.url), {
	workerData: { port: channel.port2, signal },
	transferList: [channel.port2]
});
worker.unref();
let isExpected = (status: number) => status >= 200 && status < 400;

/** k6's calls block, so this one does, too: a second thread asks, this one sleeps until the answer is there. */
function request(method: string, url: string, body: string | null, params: Params = {}): Response {
	const startedMs = performance.now();
	Atomics.store(signal, 0, 0);
	channel.port1.postMessage({ method, url, body, headers: params.headers ?? {} });
	if (Atomics.wait(signal, 0, 0, answerTimeoutMs) === 'timed-out')
		throw new Error(`${method} ${url}: no answer`);
	const answer = receiveMessageOnPort(channel.port1)?.message as Omit<Response, 'timings'>;
	registry.rate('http_req_failed', !isExpected(answer.status));
	return { ...answer, timings: { duration: performance.now() - startedMs } };
}

const http = {
	get: (url: string, params?: Params) => request('GET', url, null, params),
	post: (url: string, body?: string | null, params?: Params) => request('POST', url, body ?? null, params),
	expectedStatuses: (...statuses: number[]) => statuses,
	setResponseCallback(statuses: readonly number[]) {
		isExpected = (status) => statuses.includes(status);
	}
};
export default http;
