import { Type } from 'typebox';
import { ReadingAccepted } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { DeviceSignIn } from './device-sign-in.ts';
import type { Claim } from './claims.ts';
import type { Ingest } from './sensor-ingest.ts';

const Params = Type.Object({
	adapter: Type.String({ maxLength: 40 }),
	device: Type.String({ minLength: 1, maxLength: 64 })
});
const Query = Type.Object(
	{ channel: Type.Optional(Type.String({ maxLength: 120 })) },
	{ additionalProperties: false }
);

/**
 * POST /api/v1/readings/:adapter/:device: a message as the device would publish it. Answers after the commit: 202
 * with what was understood, or why it was not counted. A device that gets no answer sends the same again, unharmed.
 */
export function readingRoutes(
	app: StaffApp,
	deps: {
		site: string;
		claims: ReadonlyMap<string, Claim>;
		ingest: Ingest;
		signIn: DeviceSignIn;
		clock: Clock;
	}
): void {
	app.register(async (scope) => {
		// The bytes as they came: the strict parser of the adapter must see what the device wrote.
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser(
			'*',
			{ parseAs: 'buffer', bodyLimit: limits.http.readingBytes },
			(_request, body, done) => done(null, body)
		);
		scope.post(
			'/api/v1/readings/:adapter/:device',
			{
				bodyLimit: limits.http.readingBytes,
				schema: { params: Params, querystring: Query, response: { 202: ReadingAccepted } }
			},
			async (request, reply) => {
				const { adapter: name, device } = request.params as { adapter: string; device: string };
				await checkDevice(deps.signIn, request.headers.authorization, device);
				const claim = deps.claims.get(device);
				// A device is read by the adapter that the site file gives it, and by no other.
				if (!claim || claim.adapter.name !== name) throw new AppError('not_found');
				const { adapter, source } = claim;
				const topic = adapter.httpTopic(deps.site, device, (request.query as { channel?: string }).channel);
				const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
				const arrival = {
					...{ receivedAt: deps.clock.now(), retained: false },
					contentType: request.headers['content-type']
				};
				const messages = adapter.parse(topic, body, arrival, source);
				const outcome = await deps.ingest.take(messages);
				// A sign of life, a state or a repeat is well received, too: refused is only what says a reason.
				// A vendor's device that is refused sends the same again, without end: to a repeat it hears that all is well.
				const isRepeat = outcome.reason === 'duplicate' && name !== 'own';
				if (outcome.accepted === 0 && !isRepeat && (outcome.reason !== null || messages.length === 0))
					throw new AppError('reading_refused', { reason: outcome.reason ?? 'not_a_count' });
				return reply.code(202).send({ accepted: outcome.accepted, flags: outcome.flags });
			}
		);
	});
}

/** Bearer (the device's secret, or a simulator's) or Basic: cameras cannot do better. The device may speak for itself only. */
async function checkDevice(
	signIn: DeviceSignIn,
	authorization: string | undefined,
	device: string
): Promise<void> {
	const [scheme = '', value = ''] = (authorization ?? '').split(' ');
	let username = device;
	let secret = value;
	if (scheme.toLowerCase() === 'basic') {
		const text = Buffer.from(value, 'base64').toString('utf8');
		const colon = text.indexOf(':');
		[username, secret] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
	} else if (scheme.toLowerCase() !== 'bearer') throw new AppError('not_signed_in');
	if (secret.length === 0 || secret.length > 200) throw new AppError('not_signed_in');
	const identity = await signIn.authenticate(username, secret);
	if (!identity) throw new AppError('not_signed_in');
	if (identity.kind !== 'simulator' && identity.device !== device) throw new AppError('forbidden');
}
