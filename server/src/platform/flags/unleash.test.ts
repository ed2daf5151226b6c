import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createClock, createLog, onServer, withDatabase } from '../../../test/kit/index.ts';
import { switchableFlags } from '../../../contract/index.ts';
import { createFlags } from './flags.ts';
import { createUnleashSource, type UnleashOptions, type UnleashSource } from './unleash.ts';

const clientToken = `*:development.${randomBytes(20).toString('hex')}`;
const adminToken = `*:*.${randomBytes(20).toString('hex')}`;
const name = `marsad_u_${randomUUID().replaceAll('-', '')}`;
/** A slow machine takes its time to start a server of this size. */
const patience = { timeout: 60_000, interval: 50 };

describe('flags from a real Unleash', () => {
	let child: ChildProcess;
	let url = '';
	const sources: UnleashSource[] = [];

	const startServer = async (port = '0') => {
		const databaseUrl = withDatabase(inject('databaseUrl'), name);
		const script = path.join(import.meta.dirname, 'unleash-server.fixture.ts');
		child = spawn(process.execPath, [script, databaseUrl, clientToken, adminToken, port], {
			stdio: ['ignore', 'pipe', 'inherit']
		});
		for await (const line of createInterface({ input: child.stdout! })) {
			if (line.startsWith('{')) return (JSON.parse(line) as { url: string }).url;
		}
		throw new Error('Unleash did not start');
	};
	const stopServer = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	};
	const admin = async (target: string, body: unknown = {}) => {
		const response = await fetch(`${url}/api/admin/projects/default/features${target}`, {
			method: 'POST',
			headers: { authorization: adminToken, 'content-type': 'application/json' },
			body: JSON.stringify(body)
		});
		expect(response.status, await response.text()).toBeLessThan(300);
	};
	const setFlag = (flag: string, state: 'on' | 'off') => admin(`/${flag}/environments/development/${state}`);
	const open = (options: Partial<UnleashOptions> = {}) => {
		const source = createUnleashSource({
			url,
			token: clientToken,
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
		url = await startServer();
		for (const flag of ['images', 'history']) {
			await admin('', { name: flag, type: 'kill-switch' });
			await admin(`/${flag}/environments/development/strategies`, { name: 'default' });
			await setFlag(flag, 'on');
		}
	}, 300_000);
	afterEach(() => {
		for (const source of sources.splice(0)) source.stop();
	});
	afterAll(async () => {
		await stopServer();
		await onServer(inject('databaseUrl'), `drop database if exists ${name} with (force)`);
	});

	it('a flag switched off there is off here; the level override beats it both ways round; unknown flags keep their default', async () => {
		const { flags } = open();
		let told = 0;
		flags.onChange(() => (told += 1));
		await vi.waitFor(() => expect(flags.source().state).toBe('in-step'), patience);
		expect(flags.all()).toEqual(switchableFlags);
		await setFlag('images', 'off');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(false), patience);
		expect(told).toBeGreaterThan(0);
		flags.setOverride(new Set(['history']));
		expect(flags.isOn('history')).toBe(false);
		flags.setOverride(new Set());
		expect(flags.isOn('history')).toBe(true);
		await setFlag('images', 'on');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(true), patience);
	});

	it('keeps the last known flags when Unleash goes away, says so, and follows again when it is back', async () => {
		const { flags } = open();
		await setFlag('images', 'off');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(false), patience);
		await stopServer();
		await vi.waitFor(() => expect(flags.source().state).toBe('unreachable'), patience);
		const lastHeard = flags.source().at;
		expect(lastHeard).not.toBeNull();
		expect(flags.isOn('images')).toBe(false);
		flags.setOverride(new Set(['joins']));
		expect(flags.isOn('joins')).toBe(false);
		await startServer(new URL(url).port);
		await vi.waitFor(() => expect(flags.source().state).toBe('in-step'), patience);
		expect(flags.source().at).toBeGreaterThan(lastHeard!);
		await setFlag('images', 'on');
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(true), patience);
	}, 300_000);

	it('a refused token is said and leaves the written defaults', async () => {
		const { flags } = open({ token: `*:development.${'0'.repeat(40)}` });
		const told = vi.fn();
		flags.onChange(told);
		await vi.waitFor(() => expect(told).toHaveBeenCalled(), patience);
		expect(flags.source()).toEqual({ state: 'unreachable', at: null });
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
		expect(flags.source().state).toBe('unreachable');
		refuse = false;
		await vi.waitFor(() => expect(flags.isOn('images')).toBe(false), patience);
		expect(flags.source().state).toBe('in-step');
		for (const source of sources.splice(0)) source.stop();
		expect(new Set(asked)).toEqual(new Set(['GET /api/client/features']));
		stub.closeAllConnections();
		stub.close();
	});

	it('an address where nobody answers holds nothing up', async () => {
		const { flags } = open({ url: 'http://127.0.0.1:9' });
		expect(flags.source()).toEqual({ state: 'unreachable', at: null });
		expect(flags.all()).toEqual(switchableFlags);
	});
});
