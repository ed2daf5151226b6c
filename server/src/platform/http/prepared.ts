import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A public document, the same for everybody: bytes that are ready to be sent. */
export interface PreparedDocument {
	bytes: () => Buffer;
	headers: Readonly<Record<string, string>>;
}

/**
 * Documents that everybody asks for all the time, answered in front of the framework, whose share would be larger than
 * that of the answer itself. Only the plain question is answered here (GET, the bare path, nothing against it); a route
 * of the same path answers everything else.
 */
export interface PreparedAnswers {
	add(path: string, document: PreparedDocument): void;
	/** While one of them says so, the path's own route answers: it knows how to refuse. */
	leaveToRouteWhen(check: (path: string, request: IncomingMessage) => boolean): void;
}

declare module 'fastify' {
	interface FastifyInstance {
		prepared: PreparedAnswers;
	}
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands in front of the listeners that the server has now. */
export function createPreparedAnswers(server: Server): PreparedAnswers {
	const documents = new Map<string, PreparedDocument>();
	const checks: ((path: string, request: IncomingMessage) => boolean)[] = [];
	const behind = server.listeners('request') as Listener[];
	server.removeAllListeners('request');
	server.on('request', (request: IncomingMessage, response: ServerResponse) => {
		const path = request.url ?? '';
		const document = request.method === 'GET' ? documents.get(path) : undefined;
		if (!document || checks.some((check) => check(path, request))) {
			for (const listener of behind) listener.call(server, request, response);
			return;
		}
		const body = document.bytes();
		response.writeHead(200, { ...document.headers, 'content-length': body.byteLength });
		response.end(body);
	});
	return {
		add: (path, document) => void documents.set(path, document),
		leaveToRouteWhen: (check) => void checks.push(check)
	};
}
