import { Session, mayCall, type Account, type Call } from '@marsad/server/contract';
import { Type } from 'typebox';
import { request } from '#lib/api.ts';

/** Who is signed in here. The server checks every call again; this only decides what is offered. */
class SignedIn {
	account = $state.raw<Account | null>(null);
	isDemo = $state(false);

	may(call: Call): boolean {
		return this.account !== null && mayCall(this.account.role, call);
	}

	/** Asks the server who this is. */
	async load(): Promise<'signed-in' | 'signed-out' | 'no-answer'> {
		const answer = await request('/api/v1/session', Session);
		if (answer.kind === 'ok') {
			this.account = answer.body.account as Account;
			this.isDemo = answer.body.demo;
			return 'signed-in';
		}
		if (answer.kind === 'refused' && answer.problem.status === 401) {
			this.account = null;
			return 'signed-out';
		}
		return 'no-answer';
	}

	async signOut(): Promise<void> {
		await request('/api/v1/session', Type.Unknown(), { method: 'DELETE' });
		this.account = null;
	}
}

export const session = new SignedIn();
