import { generateKeyPairSync, createHash, sign, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPermit, sealPermit } from '@marsad/server/contract/permit';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp, demoPassword, type TestApp } from '../../server/test/kit/index.ts';
import { openGate } from './scanners.fixture.ts';
import { scannerKindNames } from './scanners-kinds.ts';
import { writeScannersReport } from './scanners-report.ts';
import { runScanners } from './scanners.ts';

let app: TestApp;
beforeAll(async () => {
	app = await createTestApp({ env: { ADMIT_PER_SECOND: '2000' } });
});
afterAll(() => app?.close());

const never = new AbortController().signal;
const server = () => new URL(app.url);
const hourMs = 3_600_000;
const keptOf = (scanner: string) =>
	app.database.database.db
		.selectFrom('entries')
		.selectAll()
		.where('scanner', '=', scanner)
		.orderBy('seq')
		.execute();

/** The text of a permit under a key that nobody listed. */
function forge(text: string): string {
	const pair = generateKeyPairSync('ed25519');
	const raw = Buffer.from((pair.publicKey as KeyObject).export({ format: 'jwk' }).x!, 'base64url');
	const kid = createHash('sha256').update(raw).digest('hex').slice(0, 8);
	return sealPermit(openPermit(text).claims, kid, (message) => sign(null, message, pair.privateKey));
}

describe('simulated scanners on a real server', { timeout: 300_000 }, () => {
	it('a clock that is three hours wrong, and set in between, is noticed and corrected; nobody is refused', async () => {
		const gate = await openGate(server, demoPassword);
		const device = await gate.device(3 * hourMs);
		const holders = await gate.book(30);
		const trueTimes: number[] = [];
		device.plug(false);
		for (const [at, { text }] of holders.entries()) {
			if (at === 12) device.clock.setOffByMs(-2 * hourMs);
			trueTimes.push(Date.now());
			expect(await device.scan(text)).toMatchObject({ verdict: 'green' });
		}
		device.plug(true);
		const outcome = await device.sync();
		expect(outcome).toMatchObject({ kind: 'sent', answer: { stored: 30, clock: { state: 'skewed' } } });
		const kept = await keptOf(device.id);
		for (const [at, entry] of kept.entries()) {
			// The device read its clock a moment before or after we did.
			expect(Math.abs(entry.at.getTime() - trueTimes[at]!)).toBeLessThan(entry.uncertainty_ms + 1_000);
			expect(entry.findings).toEqual([]);
		}
		const times = kept.map(({ at }) => at.getTime());
		expect(times).toEqual([...times].sort((a, b) => a - b));
	});

	it('a scanner that missed a change of keys lets people in amber, and the server judges them genuine', async () => {
		const gate = await openGate(server, demoPassword);
		const device = await gate.device();
		const [before] = await gate.book(1);
		const order = { reason: 'the old key retires', urgent: true };
		const changed = await gate.api.staff('POST', '/api/v1/permits/keys', gate.cookie, order);
		expect(changed).toMatchObject({ ok: true });
		const kidOfNext = async () => openPermit((await gate.book(1))[0]!.text).kid;
		await expect.poll(kidOfNext, { timeout: 30_000 }).not.toBe(openPermit(before!.text).kid);
		const [after] = await gate.book(1);
		// Permits under the old key stay good, those under the new one are not turned away.
		expect(await device.scan(before!.text)).toMatchObject({ verdict: 'green', flags: ['grace'] });
		expect(await device.scan(after!.text)).toMatchObject({
			...{ verdict: 'amber', flags: ['unknown-key'], permit: after!.permit, people: after!.party }
		});
		expect(await device.scan(forge(before!.text))).toMatchObject({
			verdict: 'amber',
			flags: ['unknown-key']
		});
		expect(await device.sync()).toMatchObject({ kind: 'sent', answer: { stored: 3, setAside: [] } });
		const kept = await keptOf(device.id);
		expect(kept.map(({ flags, findings }) => [flags, findings])).toEqual([
			[['grace'], []],
			[['unknown-key'], []],
			[['unknown-key'], ['not-genuine']]
		]);
		expect(await device.refresh()).toBe(true);
		const [later] = await gate.book(1);
		expect(await device.scan(later!.text)).toMatchObject({ verdict: 'green', flags: ['grace'] });
	});

	it('good and bad ones together: each entry is kept once, and nobody with a good permit is turned away', async () => {
		const lines: string[] = [];
		// Of somebody else who simulates beside it, like the demo.
		const other = await (await openGate(server, demoPassword)).device();
		const report = await runScanners(
			{
				...{ server: server(), password: demoPassword, kinds: scannerKindNames, people: 240, seconds: 8 },
				...{ seed: 11, print: (line) => lines.push(line) }
			},
			never
		);
		expect(report.broken, writeScannersReport(report)).toEqual([]);
		const row = (kind: string) => report.scanners.find((one) => one.kind === kind)!;
		expect(row('wrong-clock')).toMatchObject({ skewSeen: true });
		expect(Math.abs(row('wrong-clock').offsetMs! - 3 * hourMs)).toBeLessThan(5_000);
		expect(Math.abs(row('clock-set').offsetMs! + 2 * hourMs)).toBeLessThan(5_000);
		expect(row('stolen').setAside).toBeGreaterThanOrEqual(row('stolen').forOtherGate);
		expect(row('stolen').forOtherGate).toBeGreaterThan(0);
		expect(row('garbage').setAside).toBeGreaterThan(0);
		expect(row('lost-answers').unanswered).toBeGreaterThan(0);
		expect(report.scanners.every(({ made, kept }) => made > 20 && made === kept)).toBe(true);
		// Nothing of it is left behind: the grace is as it was, and the scanners open nothing any more.
		const cookie = await app.signIn('admin');
		const { body } = await app.call('GET', '/api/v1/scanners', { cookie });
		const own = report.scanners.map(({ device }) => device);
		const left = (body.scanners as { id: string; state: string }[]).filter(({ id }) => own.includes(id));
		expect(left.map(({ state }) => state)).toEqual(own.map(() => 'revoked'));
		const others = (body.scanners as { id: string; state: string }[]).filter(({ id }) => id === other.id);
		expect(others.map(({ state }) => state)).not.toContain('revoked');
	});
});
