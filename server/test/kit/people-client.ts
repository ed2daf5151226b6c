import { Agent, request as httpRequest } from 'node:http';

export interface Answer {
	status: number;
	body: ReturnType<JSON['parse']>;
	headers: Record<string, string | string[] | undefined>;
}

/** Many people on a bounded number of kept connections, as a proxy in front would hold them. */
export function createPeopleClient(baseUrl: string, connections = 200) {
	const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
	const send = (
		method: string,
		path: string,
		options: { body?: unknown; headers?: Record<string, string> } = {}
	) =>
		new Promise<Answer>((resolve, reject) => {
			const payload = options.body === undefined ? undefined : JSON.stringify(options.body);
			const request = httpRequest(
				new URL(path, baseUrl),
				{
					method,
					agent,
					timeout: 60_000,
					headers: {
						...(payload === undefined
							? {}
							: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
						...options.headers
					}
				},
				(response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk: Buffer) => chunks.push(chunk));
					response.on('end', () => {
						const text = Buffer.concat(chunks).toString();
						const isJson = /json/.test(response.headers['content-type'] ?? '');
						resolve({
							status: response.statusCode ?? 0,
							body: isJson && text ? JSON.parse(text) : text,
							headers: response.headers
						});
					});
					response.on('error', reject);
				}
			);
			request.on('timeout', () => request.destroy(new Error(`no answer in 60 s: ${method} ${path}`)));
			request.on('error', reject);
			request.end(payload);
		});
	return {
		send,
		get: (path: string, headers?: Record<string, string>) => send('GET', path, headers ? { headers } : {}),
		post: (path: string, body: unknown = {}, headers?: Record<string, string>) =>
			send('POST', path, headers ? { body, headers } : { body }),
		close: () => agent.destroy()
	};
}
