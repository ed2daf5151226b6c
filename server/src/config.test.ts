import { describe, expect, it } from 'vitest';
import { ConfigError, isLoopback, loadConfig } from './config.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
	try {
		loadConfig(env);
	} catch (error) {
		if (error instanceof ConfigError) return error.faults;
		throw error;
	}
	return [];
}

describe('the configuration', () => {
	it('has a default for everything, and is frozen', () => {
		const config = loadConfig({});
		expect(config).toMatchObject({
			port: 3000,
			host: '127.0.0.1',
			mqttPort: 1883,
			databasePoolMax: 10,
			demo: false,
			admitPerSecond: { value: 50, measured: false },
			logLevel: 'info'
		});
		expect(config.lab).toBeUndefined();
		expect(Object.isFrozen(config)).toBe(true);
		expect(Object.isFrozen(config.admitPerSecond)).toBe(true);
	});

	it('takes an empty variable as not given', () => {
		expect(loadConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(loadConfig({}));
	});

	it('tells a given admission rate from the default', () => {
		expect(loadConfig({ ADMIT_PER_SECOND: '12.5' }).admitPerSecond).toEqual({ value: 12.5, measured: true });
		expect(loadConfig({ DEMO: '1' }).admitPerSecond.value).toBe(250);
		expect(loadConfig({ LAB: '1' }).admitPerSecond.value).toBe(250);
	});

	it('takes the laboratory for a demo with settings of its own', () => {
		const config = loadConfig({ LAB: '1', LAB_CHECK_MS: '5', LAB_TIME_SCALE: '60' });
		expect(config.demo).toBe(true);
		expect(config.lab).toEqual({ checkMs: 5, timeScale: 60 });
	});

	it('names all faults at once and never a value', () => {
		const faults = faultsOf({
			PORT: '70000',
			MQTT_PORT: '18x83',
			DATABASE_URL: 'mysql://hidden-value',
			MARSAD_SECRET: 'hidden-value',
			LOG_LEVEL: 'hidden-value',
			DEMO: 'hidden-value'
		});
		expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
			'PORT',
			'DATABASE_URL',
			'MQTT_PORT',
			'MARSAD_SECRET',
			'DEMO',
			'LOG_LEVEL'
		]);
		expect(faults.join('\n')).not.toMatch(/hidden-value|70000|18x83/);
		for (const fault of faults) expect(fault).not.toContain('\n');
	});

	it('takes Valkey, single or cluster, with a secret that all instances share', () => {
		expect(faultsOf({ VALKEY_URL: 'valkey://127.0.0.1' })).toEqual([
			'VALKEY_URL needs MARSAD_SECRET, the same on every instance: tickets and passes are signed with it'
		]);
		const secret = { MARSAD_SECRET: 'x'.repeat(32) };
		for (const url of ['redis://valkey:6379/0', 'valkeys://user:pass@a:1,valkeys://user:pass@b:2']) {
			expect(loadConfig({ VALKEY_URL: url, ...secret }).valkeyUrl).toBe(url);
		}
		const [fault = ''] = faultsOf({ VALKEY_URL: 'http://user:hidden-value@valkey', ...secret });
		expect(fault).toMatch(/^VALKEY_URL must be a valkey:\/\/ address/);
		expect(fault).not.toContain('hidden-value');
	});

	it.each(['DEMO', 'LAB'])('refuses %s anywhere but on loopback and for real people', (mode) => {
		expect(faultsOf({ [mode]: '1', HOST: '0.0.0.0' })).toHaveLength(1);
		expect(
			faultsOf({ [mode]: '1', PERSON_ISSUER: 'https://id.example.org', PERSON_AUDIENCE: 'a' })
		).toHaveLength(1);
		expect(faultsOf({ [mode]: '1', NODE_ENV: 'production' })).toHaveLength(1);
		expect(faultsOf({ [mode]: '1', HOST: 'localhost' })).toEqual([]);
	});

	it('asks for what belongs together', () => {
		expect(faultsOf({ UNLEASH_URL: 'http://127.0.0.1:4242' })).toEqual(['UNLEASH_URL needs UNLEASH_TOKEN']);
		expect(faultsOf({ PERSON_ISSUER: 'https://id.example.org' })).toEqual([
			'PERSON_ISSUER needs PERSON_AUDIENCE'
		]);
		expect(faultsOf({ DATABASE_DIRECT_URL: 'postgres://127.0.0.1/a' })).toEqual([
			'DATABASE_DIRECT_URL needs DATABASE_URL'
		]);
		expect(loadConfig({ ELIGIBILITY_URL: 'none' }).eligibilityUrl).toBe('none');
		expect(faultsOf({ ELIGIBILITY_URL: 'nobody' })).toHaveLength(1);
	});

	it.each([
		['127.0.0.1', true],
		['127.8.9.1', true],
		['::1', true],
		['localhost', true],
		['0.0.0.0', false],
		['127.0.0.1.example.org', false],
		['::', false]
	])('knows whether %s is loopback', (host, expected) => {
		expect(isLoopback(host)).toBe(expected);
	});
});
