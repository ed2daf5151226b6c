import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openLaboratoryBooking } from './laboratory.ts';

/**
 * What the product is measured against, as a process of its own: `answer BYTES` is a bare `node:http` answer of that
 * size, bodies read and thrown away; `laboratory URL CONNECTIONS CHECK_MS RATE` is a room and a booking the
 * laboratory's way.
 */
const [kind, ...args] = process.argv.slice(2);
const server = createServer(
	kind === 'answer' ? bareAnswer(Number(args[0])) : laboratory(args[0]!, args.slice(1).map(Number))
);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
	const { port } = server.address() as AddressInfo;
	process.send?.({ kind: 'listening', url: `http://127.0.0.1:${port}`, port, mqttPort: null });
});
process.once('SIGTERM', () => process.exit(0));

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function bareAnswer(bytes: number): Handler {
	const frame = JSON.stringify({ answer: '' }).length;
	const body = Buffer.from(JSON.stringify({ answer: 'x'.repeat(Math.max(0, bytes - frame)) }));
	return (request, response) => {
		request.on('data', () => undefined);
		request.on('end', () => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
			response.end(body);
		});
	};
}

function laboratory(databaseUrl: string, [connections = 10, checkMs = 20, ratePerSecond = 250]: number[]) {
	const booking = openLaboratoryBooking(databaseUrl, connections, checkMs);
	const numbers = new Map<string, number>();
	let firstAt = 0;
	const released = () => (firstAt === 0 ? 0 : ((performance.now() - firstAt) / 1_000) * ratePerSecond);
	const answer = (response: ServerResponse, status: number, body: object) => {
		const text = JSON.stringify(body);
		response.writeHead(status, {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(text)
		});
		response.end(text);
	};
	const handle = async (path: string, user: string, slot: number, response: ServerResponse) => {
		if (path === '/queue/join') {
			firstAt ||= performance.now();
			const number = numbers.get(user) ?? numbers.size + 1;
			numbers.set(user, number);
			answer(response, 200, { ticket: String(number), number });
		} else if (path === '/queue/status') {
			const isIn = (numbers.get(user) ?? Infinity) <= released();
			answer(response, 200, isIn ? { admitted: true, token: user } : { admitted: false });
		} else {
			const isBooked = await booking.book(user, slot);
			answer(response, isBooked ? 200 : 409, isBooked ? { ok: true, permit: user } : { error: 'slot full' });
		}
	};
	return (request: IncomingMessage, response: ServerResponse) => {
		const url = new URL(request.url ?? '/', 'http://baseline');
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const body = (text === '' ? {} : JSON.parse(text)) as { user?: string; slot?: number };
			const user = body.user ?? url.searchParams.get('user') ?? '';
			handle(url.pathname, user, body.slot ?? 1, response).catch(() =>
				answer(response, 500, { error: 'failed' })
			);
		});
	};
}
