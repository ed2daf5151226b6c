import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createClock, createLog, onServer, withDatabase } from '../../../test/kit/index.ts';
import { switchableFlags } from '../../../contract/index.ts';
import { createFlags } from './flags.ts';
import { startUnleash, type UnleashStand } from './unleash-stand.fixture.ts';
import { createUnleashSource, type UnleashOptions, type UnleashSource } from './unleash.ts';

const name = `marsad_u_${randomUUID().replaceAll('-', '')}`;
/** A slow machine takes its time to start a server of this size. */
const patience = { timeout: 60_000, interval: 50 };

describe('flags from a real Unleash', () => {
	let unleash: UnleashStand;
	const sources: UnleashSource[] = [];
	const open = (options: Partial<UnleashOptions> = {}) => {
		const source = createUnleashSource({
			url: unleash.url,
			token: unleash.clientToken,
			environment: 'development',
			instance: 'test',
			clock: createClock(),
			log: createLog('silent'),
			refreshMs: 200,
			...options
		});
		sources.push(source);
		const flags = createFlags(source);
		source.start();
		return { source, flags };
	};

	beforeAll(async () => {
		await onServer(inject('databaseUrl'), `create database ${name}`);
		unleash = await startUnleash(withDatabase(inject('databaseUrl'), name));
		for (const flag of ['images', 'history']) {
			await unleash.post('', { name: flag, type: 'kill-switch' });
			await unleash.post(`/${flag}/environments/development/strategies`, { name: 'default' });
			await unleash.setFlag(flag, 'on');
		}
	}, 300_000);
	afterEach(() => {
		for (const source of sources.splice(0)) source.stop();
	});
	afterAll(async () => {
		await unleash.stop();
		await onServer(inject('databaseUrl'), `drop database if exists ${name} with (force)`);
	});

	it('a flag switched off there is off here; the level override beats it both ways round; unknown flags keep their default', async () => {
		const { flags } = open();
		let told = 0;
		flags.onChange(() => (told += 1));
		await vi.waitFor(() => expect(flags.source().state).toBe('in-step'), patience);
		expect(flags.all()).toEqual(switchableFlags);
		await unleash.setFlag('images', 'off');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(false), patience);
		expect(told).toBeGreaterThan(0);
		flags.setOverride(new Set(['history']));
		expect(flags.isOn('history')).toBe(false);
		flags.setOverride(new Set());
		expect(flags.isOn('history')).toBe(true);
		await unleash.setFlag('images', 'on');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(true), patience);
	});

	it('keeps the last known flags when Unleash goes away, says so, and follows again when it is back', async () => {
		const { flags } = open();
		await unleash.setFlag('images', 'off');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(false), patience);
		await unleash.stop();
		await vi.waitFor(() => expect(flags.source().state).toBe('unreachable'), patience);
		const lastHeard = flags.source().at;
		expect(lastHeard).not.toBeNull();
		expect(flags.isOn('images')).toBe(false);
		flags.setOverride(new Set(['joins']));
		expect(flags.isOn('joins')).toBe(false);
		await unleash.start();
		await vi.waitFor(() => expect(flags.source().state).toBe('in-step'), patience);
		expect(flags.source().at).toBeGreaterThan(lastHeard!);
		await unleash.setFlag('images', 'on');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(true), patience);
	}, 300_000);

	it('a refused token is said and leaves the written defaults', async () => {
		const { flags } = open({ token: `*:development.${'0'.repeat(40)}` });
		const told = vi.fn();
		flags.onChange(told);
		await vi.waitFor(() => expect(told).toHaveBeenCalled(), patience);
		expect(flags.source()).toEqual({ state: 'refused', at: null });
		expect(flags.all()).toEqual(switchableFlags);
	});

	it('tries a refused token again, and asks for flags and nothing else', async () => {
		const asked: string[] = [];
		let refuse = true;
		const stub = createServer((request, response) => {
			asked.push(`${request.method} ${request.url}`);
			response.writeHead(refuse ? 403 : 200, { 'content-type': 'application/json' });
			response.end(
				JSON.stringify({ version: 2, features: [{ name: 'images', enabled: false, strategies: [] }] })
			);
		});
		await once(stub.listen(0, '127.0.0.1'), 'listening');
		const { flags } = open({
			url: `http://127.0.0.1:${(stub.address() as AddressInfo).port}/api/`,
			retryRefusedMs: 100
		});
		await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2), patience);
		expect(flags.source().state).toBe('refused');
		refuse = false;
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(false), patience);
		expect(flags.source().state).toBe('in-step');
		for (const source of sources.splice(0)) source.stop();
		expect(new Set(asked)).toEqual(new Set(['GET /api/client/features']));
		stub.closeAllConnections();
		stub.close();
	});

	it('a server that hangs holds nothing up, is said, and is followed again when it goes on', async () => {
		const { flags } = open({ silentMs: 1_500 });
		await vi.waitFor(() => expect(flags.source().state).toBe('in-step'), patience);
		unleash.setFrozen(true);
		await vi.waitFor(() => expect(flags.source().state).toBe('unreachable'), patience);
		expect(flags.isOn('history')).toBe(true);
		flags.setOverride(new Set(['history']));
		expect(flags.isOn('history')).toBe(false);
		unleash.setFrozen(false);
		await vi.waitFor(() => expect(flags.source().state).toBe('in-step'), patience);
	});

	it('asks at its usual pace again after an outage, not at that of its back-off', async () => {
		const asked: number[] = [];
		let broken = true;
		const stub = createServer((_request, response) => {
			if (!broken) asked.push(performance.now());
			response.writeHead(broken ? 500 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ version: 2, features: [] }));
		});
		await once(stub.listen(0, '127.0.0.1'), 'listening');
		const { flags } = open({ url: `http://127.0.0.1:${(stub.address() as AddressInfo).port}` });
		const failures = vi.fn();
		flags.onChange(failures);
		await vi.waitFor(() => expect(failures).toHaveBeenCalled(), patience);
		await new Promise((resolve) => setTimeout(resolve, 3_000));
		broken = false;
		await vi.waitFor(() => expect(asked.length).toBeGreaterThan(8), patience);
		const gaps = asked.slice(1).map((at, index) => at - asked[index]!);
		// Its back-off would make each of the first gaps longer than the one after it.
		expect(Math.min(...gaps.slice(0, 3))).toBeLessThan(400);
		for (const source of sources.splice(0)) source.stop();
		stub.closeAllConnections();
		stub.close();
	});

	it('ended while its question is under way and then fails, it harms nobody', async () => {
		const stub = createServer(() => undefined);
		await once(stub.listen(0, '127.0.0.1'), 'listening');
		const asked = once(stub, 'request');
		const { source } = open({ url: `http://127.0.0.1:${(stub.address() as AddressInfo).port}` });
		await asked;
		source.stop();
		// An error that nobody hears fails this whole run.
		stub.closeAllConnections();
		stub.close();
		await new Promise((resolve) => setTimeout(resolve, 2_500));
		expect(source.state().state).toBe('unreachable');
	});

	it('an address where nobody answers holds nothing up', async () => {
		const { flags } = open({ url: 'http://127.0.0.1:9' });
		expect(flags.source()).toEqual({ state: 'unreachable', at: null });
		expect(flags.all()).toEqual(switchableFlags);
	});
});
