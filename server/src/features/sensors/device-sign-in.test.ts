import { describe, expect, it } from 'vitest';
import { buildSite } from '../site/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { claimsOf } from './claims.ts';
import { createDeviceSignIn, hashSecret } from './device-sign-in.ts';

const stored = {
	'door-1': { kind: 'device' as const, secretSha256: hashSecret('the secret of door 1') },
	frigate: { kind: 'bridge' as const, secretSha256: hashSecret('the secret of the host') }
};
const signIn = (simulatedAllowed: boolean) =>
	createDeviceSignIn({
		site: 'demo',
		claims: claimsOf('demo', buildSite(smallSite()).countersByDevice),
		simulatedAllowed,
		find: async (device) => stored[device as keyof typeof stored]
	});

describe('a device that signs in', () => {
	it('may write its own topics alone', async () => {
		expect(await signIn(false).authenticate('door-1', 'the secret of door 1')).toMatchObject({
			kind: 'device',
			device: 'door-1',
			publish: ['marsad/demo/door-1/reading', 'marsad/demo/door-1/state']
		});
		expect(await signIn(false).authenticate('frigate', 'the secret of the host')).toMatchObject({
			kind: 'bridge',
			publish: ['frigate/#']
		});
	});

	it('is nobody with a wrong name or secret', async () => {
		for (const [name, secret] of [
			['door-1', 'wrong'],
			['door-1', ''],
			['ghost', 'wrong'],
			['ghost', ''],
			['simulator', '']
		] as const)
			expect(await signIn(true).authenticate(name, secret)).toBeNull();
	});
});

describe('a simulator', () => {
	it('exists in demo and laboratory, with a secret of this start', async () => {
		const here = signIn(true);
		expect(await here.authenticate('simulator', here.simulator?.password ?? '')).toMatchObject({
			kind: 'simulator',
			publish: ['marsad/demo/+/reading', 'marsad/demo/+/state', 'frigate/#']
		});
		expect(signIn(true).simulator?.password).not.toBe(here.simulator?.password);
	});

	it('does not exist in a live run', async () => {
		const live = signIn(false);
		expect(live.simulator).toBeNull();
		expect(await live.authenticate('simulator', 'anything')).toBeNull();
	});
});
