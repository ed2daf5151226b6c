import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestValkey, hasTestValkey, type TestValkey } from '../../../test/kit/test-valkey.ts';
import { createLog } from '../log.ts';
import { faultOf, openValkey, retryDelayMs, type Valkey } from './valkey.ts';

describe('back-off to Valkey', () => {
	it('is spread over the whole span, grows, and has a ceiling', () => {
		const spread = (times: number) => [0, 0.25, 0.5, 0.75, 1].map((r) => retryDelayMs(times, () => r));
		expect(new Set(spread(8)).size).toBe(5);
		expect(Math.max(...spread(1))).toBeLessThan(Math.max(...spread(5)));
		for (const times of [1, 10, 100, 10_000]) {
			for (const delay of spread(times)) {
				expect(delay).toBeGreaterThan(0);
				expect(delay).toBeLessThanOrEqual(2_000);
			}
		}
	});

	it('tells faults without what was sent', () => {
		const refused = Object.assign(new Error('WRONGPASS invalid username-password pair'), {
			command: { name: 'auth', args: ['user', 'hidden-value'] }
		});
		expect(faultOf(refused)).toBe('WRONGPASS');
		expect(faultOf(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
		expect(faultOf(new Error('Command timed out'))).toBe('Error');
		expect(faultOf('hidden-value')).toBe('unknown');
	});
});

describe.skipIf(!hasTestValkey())('the connection to Valkey', () => {
	let server: TestValkey;
	const opened: Valkey[] = [];
	afterEach(async () => {
		for (const valkey of opened.splice(0)) await valkey.close();
		await server.close();
	});
	const open = (url: string, log = createLog('silent')) => {
		const valkey = openValkey({ url, log, random: () => 0 });
		opened.push(valkey);
		return valkey;
	};

	it('runs scripts, fails at once while the server is away, and comes back by itself', async () => {
		server = await createTestValkey();
		const valkey = open(server.url);
		let connected = 0;
		valkey.onReady(() => connected++);
		await expect.poll(() => valkey.state(), { timeout: 20_000 }).toBe('ready');
		const add = valkey.script('testAdd', "return redis.call('INCRBY', KEYS[1], ARGV[1])", 1);
		expect(await add(['{a}:n'], [2])).toBe(2);
		await server.setReachable(false);
		await expect.poll(() => valkey.state(), { timeout: 20_000 }).toBe('connecting');
		await expect(add(['{a}:n'], [2])).rejects.toThrow();
		await server.setReachable(true);
		await expect.poll(() => valkey.state(), { timeout: 20_000 }).toBe('ready');
		expect(connected).toBe(2);
		expect(await add(['{a}:n'], [2])).toBe(4);
		await server.kill();
		await server.start();
		await expect.poll(() => connected, { timeout: 20_000 }).toBe(3);
		expect(await add(['{a}:n'], [2])).toBe(2);
		await valkey.close();
		expect(valkey.state()).toBe('closed');
	});

	it('says that it may not come in, and never with what', async () => {
		server = await createTestValkey();
		await server.admin.config('SET', 'requirepass', 'the right one');
		const lines: string[] = [];
		const log = pino(
			{ level: 'trace' },
			new Writable({
				write(line: Buffer, _encoding, done) {
					lines.push(line.toString());
					done();
				}
			})
		);
		const valkey = open(server.url.replace('//', '//default:hidden-value@'), log);
		await expect.poll(() => lines.join(''), { timeout: 20_000 }).toContain('WRONGPASS');
		expect(lines.join('')).not.toContain('hidden-value');
		await expect(valkey.client.get('x')).rejects.toThrow();
	});
});
