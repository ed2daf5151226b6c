import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { browserKeyHeader, browserKeyPattern } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Identity } from '../booking/index.ts';
import type { Visitor } from './desk.ts';

/** A visitor, and the party that was prepared for. */
export interface Seen {
	visitor: Visitor;
	/** Null: nothing was prepared. */
	party: number | null;
}

const browserKey = new RegExp(browserKeyPattern);

/** Tells who stands at the desk: an account or "ready", a browser's key, or both. */
export function createVisitors(deps: {
	identity: Pick<Identity, 'identify'>;
	secret: string;
	/** The party that a "ready" in this request was signed for; null when there is none. */
	partyOf(request: FastifyRequest): number | null;
}): (request: FastifyRequest) => Promise<Seen> {
	const key = createSecretKey(
		Buffer.from(hkdfSync('sha256', deps.secret, 'marsad', 'waiting-room:browser', 32))
	);
	const holderOf = (browser: string) => createHmac('sha256', key).update(browser).digest('base64url');

	return async (request) => {
		const given = browserKeyOf(request);
		const browser = given === null ? null : holderOf(given);
		try {
			const { holder } = await deps.identity.identify(request);
			return { visitor: { account: holder, browser }, party: deps.partyOf(request) };
		} catch (error) {
			const unknown = error instanceof AppError && error.code === 'no_identity';
			if (!unknown || browser === null) throw error;
			return { visitor: { account: null, browser }, party: null };
		}
	};
}

/** @throws AppError `bad_request` for a key that is too short to be anybody's own */
function browserKeyOf(request: FastifyRequest): string | null {
	const { body } = request;
	const inBody =
		typeof body === 'object' && body !== null ? (body as { browserKey?: unknown }).browserKey : undefined;
	const value: unknown = request.headers[browserKeyHeader] ?? inBody;
	if (value === undefined || value === '') return null;
	if (typeof value === 'string' && browserKey.test(value)) return value;
	throw new AppError('bad_request', {
		field: 'browserKey',
		detail: 'must be 22 to 128 letters, digits, - or _'
	});
}
