import { Session, mayCall, type Account, type Call } from '@marsad/server/contract';
import { Type } from 'typebox';
import { request } from '#lib/api.ts';

const key = 'was-signed-in';

/** A browser that forbids storage is always a new one: it is asked to sign in, and told of no session that ended. */
function recall(): boolean {
	try {
		return localStorage.getItem(key) !== null;
	} catch {
		return false;
	}
}
function remember(isHere: boolean): void {
	try {
		if (isHere) localStorage.setItem(key, 'yes');
		else localStorage.removeItem(key);
	} catch {
		// Nothing is lost but the better of two sentences.
	}
}

/** Who is signed in here. The server checks every call again; this only decides what is offered. */
class SignedIn {
	account = $state.raw<Account | null>(null);
	isDemo = $state(false);

	/** Whether somebody was signed in here before: only then has a session ended. */
	get wasHere(): boolean {
		return this.account !== null || recall();
	}

	/** Somebody is signed in from now on. */
	enter(account: Account, isDemo: boolean): void {
		this.account = account;
		this.isDemo = isDemo;
		remember(true);
	}

	may(call: Call): boolean {
		return this.account !== null && mayCall(this.account.role, call);
	}

	/** Asks the server who this is. */
	async load(): Promise<'signed-in' | 'signed-out' | 'no-answer'> {
		const answer = await request('/api/v1/session', Session);
		if (answer.kind === 'ok') {
			this.enter(answer.body.account as Account, answer.body.demo);
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
		remember(false);
	}
}

export const session = new SignedIn();
