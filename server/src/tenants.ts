import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { simulatedTenantHeader, type Account } from '../contract/index.ts';
import { AppError } from './errors.ts';
import type { Entries } from './features/entries/index.ts';
import type { Seat } from './platform/realtime/socket-door.ts';
import { isScanner, type SyncCaller } from './sync/index.ts';

/**
 * Whose turn it is, and whose connections are counted together. A scanner belongs to its gate cluster: the gates of one
 * place, which fail and return together. A person, a wall and a provider stand for themselves: nobody in the control
 * room waits for somebody else's broken browser.
 */
export function tenantOfAccount({ id, role }: Account): string {
	if (id.startsWith('device:')) return `wall ${id.slice('device:'.length)}`;
	return role === 'provider' ? `provider ${id}` : `account ${id}`;
}

export function kindOfAccount({ id, role }: Account): string {
	if (id.startsWith('device:')) return 'wall';
	if (role === 'provider') return 'provider';
	return role === 'team-leader' || role === 'steward' ? 'phone' : 'screen';
}

/** Demo and laboratory: one machine plays many. */
function simulated(text: unknown, allowed: boolean): string | null {
	if (!allowed || typeof text !== 'string') return null;
	return /^[\w .:-]{1,60}$/.test(text) ? `simulated ${text}` : null;
}

/**
 * Who a connection says it is, before a store is asked: its token or its cookies, by their hash. Good for the pace of one
 * client, and for nothing else.
 */
export function claims(simulatedAllowed: boolean) {
	return ({ headers }: IncomingMessage, auth: Readonly<Record<string, unknown>>): string => {
		const played = simulated(auth['simulatedTenant'], simulatedAllowed);
		if (played) return played;
		const shown = typeof auth['token'] === 'string' ? auth['token'] : (headers.cookie ?? '');
		return createHash('sha256').update(shown).digest('base64url').slice(0, 16);
	};
}

/** The seat of a connection. */
export function seats(simulatedAllowed: boolean) {
	return (account: Account, auth: Readonly<Record<string, unknown>>): Seat => {
		const played = simulated(auth['simulatedTenant'], simulatedAllowed);
		if (played) return { tenant: played, kind: 'simulated' };
		return { tenant: tenantOfAccount(account), kind: kindOfAccount(account) };
	};
}

/** What a client carries, hashed: it tells clients apart before anybody is asked who they are. */
export function credentials(simulatedAllowed: boolean) {
	return ({ headers }: FastifyRequest): string | null => {
		const said = headers.authorization ?? headers.cookie;
		if (said === undefined) return null;
		const played = simulated(headers[simulatedTenantHeader], simulatedAllowed) ?? '';
		return createHash('sha256').update(`${said} ${played}`).digest('base64');
	};
}

/** Who pulls: a scanner by its own token, anybody else by cookie or device token. */
export function pullers(deps: {
	entries: Pick<Entries, 'signIn' | 'placeOf'>;
	authenticate(request: FastifyRequest): Promise<Account | null>;
	simulatedAllowed: boolean;
}) {
	return async (request: FastifyRequest): Promise<SyncCaller> => {
		const played = simulated(request.headers[simulatedTenantHeader], deps.simulatedAllowed);
		if (isScanner(request)) {
			const { id, gate } = await deps.entries.signIn(request);
			const tenant = played ?? `gates ${deps.entries.placeOf(gate) ?? gate}`;
			return { id, role: 'scanner', tenant };
		}
		const account = await deps.authenticate(request);
		if (!account) throw new AppError('not_signed_in');
		return { id: played ?? account.id, role: account.role, tenant: played ?? tenantOfAccount(account) };
	};
}
