import { limits } from '../../limits.ts';

/** What keeps a flag from being written: the token is no good, or nobody answers as expected. */
export class UnleashWriteError extends Error {
	readonly kind: 'refused' | 'unreachable';
	constructor(kind: 'refused' | 'unreachable', reason: string) {
		super(reason);
		this.name = 'UnleashWriteError';
		this.kind = kind;
	}
}

/** Writes flags in Unleash, through the interface that its own pages use. */
export interface UnleashAdmin {
	/**
	 * Switches a flag in the environment; one that is missing or archived is made first.
	 * @throws UnleashWriteError
	 */
	write(flag: string, enabled: boolean): Promise<void>;
}

export interface UnleashAdminOptions {
	/** With or without the `/api` at its end. */
	url: string;
	adminToken: string;
	environment: string;
	timeoutMs?: number;
}

export function createUnleashAdmin(options: UnleashAdminOptions): UnleashAdmin {
	const base = `${options.url.replace(/\/+$/, '').replace(/(\/api)?$/, '/api')}/admin`;
	const features = '/projects/default/features';

	/** @returns the status, of those that are expected */
	const post = async (path: string, body: object, expected: readonly number[] = []): Promise<number> => {
		let response: Response;
		try {
			response = await fetch(base + path, {
				method: 'POST',
				headers: { authorization: options.adminToken, 'content-type': 'application/json' },
				body: JSON.stringify(body),
				redirect: 'error',
				signal: AbortSignal.timeout(options.timeoutMs ?? limits.unleash.timeoutMs)
			});
			await response.arrayBuffer();
		} catch (error) {
			throw new UnleashWriteError('unreachable', error instanceof Error ? error.message : 'unknown');
		}
		const { status, ok } = response;
		if (ok || expected.includes(status)) return status;
		throw new UnleashWriteError(
			status === 401 || status === 403 ? 'refused' : 'unreachable',
			`POST ${path.replace(/\?.*/, '')} answered ${status}`
		);
	};
	const toggle = (flag: string, enabled: boolean, expected?: readonly number[]) =>
		post(
			`${features}/${flag}/environments/${encodeURIComponent(options.environment)}/${enabled ? 'on' : 'off'}`,
			{},
			expected
		);
	const make = async (flag: string) => {
		const description = 'Written by Marsad: a level switches it.';
		const made = await post(features, { name: flag, type: 'kill-switch', description }, [409]);
		// The name is taken by one that was archived.
		if (made === 409) await post(`/archive/revive/${flag}`, {});
	};

	return {
		async write(flag, enabled) {
			const status = await toggle(flag, enabled, [404]);
			if (status !== 404) return;
			await make(flag);
			await toggle(flag, enabled);
		}
	};
}
