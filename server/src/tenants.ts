import type { FastifyRequest } from 'fastify';
import { simulatedTenantHeader, type Account } from '../contract/index.ts';
import { AppError } from './errors.ts';
import type { Entries } from './features/entries/index.ts';
import type { Seat } from './platform/realtime/socket-door.ts';
import type { SyncCaller } from './sync/index.ts';

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

/** The seat of a connection. */
export function seats(simulatedAllowed: boolean) {
	return (account: Account, auth: Readonly<Record<string, unknown>>): Seat => {
		const played = simulated(auth['simulatedTenant'], simulatedAllowed);
		if (played) return { tenant: played, kind: 'simulated' };
		return { tenant: tenantOfAccount(account), kind: kindOfAccount(account) };
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
		if (/^Bearer s-[0-9a-f]{12}\./i.test(request.headers.authorization ?? '')) {
			const { id, gate } = await deps.entries.signIn(request);
			const tenant = played ?? `gates ${deps.entries.placeOf(gate) ?? gate}`;
			return { id, role: 'scanner', tenant };
		}
		const account = await deps.authenticate(request);
		if (!account) throw new AppError('not_signed_in');
		return { id: played ?? account.id, role: account.role, tenant: played ?? tenantOfAccount(account) };
	};
}
