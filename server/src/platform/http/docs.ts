import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { HotApp } from './hot-app.ts';

/** OpenAPI from the schemas that validate; register it before any route. */
export async function collectDocs(app: HotApp): Promise<void> {
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Marsad',
				version: '0.1.0',
				description: 'The control room for crowds whose date is known.'
			}
		}
	});
}

/** The page at /api/docs and the document at /api/openapi.json. */
export async function serveDocs(app: HotApp): Promise<void> {
	app.get('/api/openapi.json', { schema: { hide: true } as object }, async (_request, reply) =>
		reply.header('cache-control', 'no-cache').send(app.swagger())
	);
	await app.register(scalar, {
		routePrefix: '/api/docs',
		configuration: { url: '/api/openapi.json', title: 'Marsad', telemetry: false }
	} as object);
}
