import { resolve } from 'node:path';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';

const repositoryRoot = resolve(import.meta.dirname, '../..');

const httpUrl = '^https?://[^\\s]+$';
const postgresUrl = '^postgres(ql)?://[^\\s]+$';
const valkeyUrl = '(valkey|redis)s?://[^\\s,]+';
const valkeyUrls = `^${valkeyUrl}(,${valkeyUrl})*$`;
const mqttUrl = '^(mqtts?|tcp|ssl|wss?)://[^\\s]+$';

/** Each description ends the sentence "NAME must be …" that the operator reads; the value itself is never printed. */
const Environment = Type.Object({
	PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 3000, description: 'a port from 0 to 65535' }),
	HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'a host name or address' }),
	DATA_DIR: Type.String({ minLength: 1, default: '.data', description: 'a folder' }),
	DATABASE_URL: Type.Optional(Type.String({ pattern: postgresUrl, description: 'a postgres:// address' })),
	DATABASE_DIRECT_URL: Type.Optional(
		Type.String({ pattern: postgresUrl, description: 'a postgres:// address' })
	),
	DATABASE_POOL_MAX: Type.Integer({
		minimum: 2,
		maximum: 200,
		default: 10,
		description: 'a whole number from 2 to 200'
	}),
	VALKEY_URL: Type.Optional(
		Type.String({
			pattern: valkeyUrls,
			description: 'a valkey:// address, or those of a cluster with commas'
		})
	),
	MQTT_URL: Type.Optional(
		Type.String({ pattern: mqttUrl, description: 'a broker address such as mqtt://host:1883' })
	),
	MQTT_PORT: Type.Integer({
		minimum: 0,
		maximum: 65535,
		default: 1883,
		description: 'a port from 0 to 65535'
	}),
	UNLEASH_URL: Type.Optional(
		Type.String({ pattern: httpUrl, description: 'an http:// or https:// address' })
	),
	UNLEASH_TOKEN: Type.Optional(Type.String({ minLength: 1, description: 'a token' })),
	UNLEASH_ADMIN_TOKEN: Type.Optional(Type.String({ minLength: 1, description: 'a token' })),
	UNLEASH_ENVIRONMENT: Type.String({ minLength: 1, default: 'production', description: 'a name' }),
	PERSON_ISSUER: Type.Optional(
		Type.String({ pattern: httpUrl, description: 'an http:// or https:// address' })
	),
	PERSON_AUDIENCE: Type.Optional(Type.String({ minLength: 1, description: 'a name' })),
	PERSON_CLIENT_ID: Type.Optional(Type.String({ minLength: 1, description: 'a name' })),
	ELIGIBILITY_URL: Type.Optional(
		Type.String({ pattern: `^none$|${httpUrl}`, description: 'an http:// or https:// address, or none' })
	),
	DRAW_RANDOMNESS_URL: Type.Optional(
		Type.String({ pattern: httpUrl, description: 'an http:// or https:// address' })
	),
	SITE_FILE: Type.Optional(Type.String({ minLength: 1, description: 'a file' })),
	LEVELS_FILE: Type.Optional(Type.String({ minLength: 1, description: 'a file' })),
	ADMIT_PER_SECOND: Type.Optional(
		Type.Number({ minimum: 0.1, maximum: 100_000, description: 'a number from 0.1 to 100000' })
	),
	MARSAD_SECRET: Type.Optional(
		Type.String({ minLength: 32, maxLength: 1024, description: 'at least 32 characters long' })
	),
	DEMO: Type.Boolean({ default: false, description: '1 or 0' }),
	DEMO_PASSWORD: Type.Optional(
		Type.String({ minLength: 8, maxLength: 200, description: 'at least 8 characters long' })
	),
	LAB: Type.Boolean({ default: false, description: '1 or 0' }),
	LAB_CHECK_MS: Type.Integer({
		minimum: 0,
		maximum: 60_000,
		default: 20,
		description: 'a whole number of milliseconds from 0 to 60000'
	}),
	LAB_TIME_SCALE: Type.Number({
		minimum: 0.1,
		maximum: 10_000,
		default: 1,
		description: 'a number from 0.1 to 10000'
	}),
	LAB_TIME_FROM: Type.Optional(
		Type.Integer({ minimum: 0, maximum: 8.64e15, description: 'a moment in epoch milliseconds' })
	),
	LOG_LEVEL: Type.String({
		pattern: '^(fatal|error|warn|info|debug|trace|silent)$',
		default: 'info',
		description: 'fatal, error, warn, info, debug, trace or silent'
	}),
	NODE_ENV: Type.Optional(Type.String())
});
type Environment = Static<typeof Environment>;

/** Every variable that {@link loadConfig} reads. */
export const environmentNames: readonly string[] = Object.keys(Environment.properties);

/** What the environment says, checked and frozen. */
export type Config = Readonly<{
	port: number;
	host: string;
	dataDir: string;
	databaseUrl?: string;
	databaseDirectUrl?: string;
	databasePoolMax: number;
	/** One address, or the seeds of a cluster with commas between them. */
	valkeyUrl?: string;
	mqttUrl?: string;
	mqttPort: number;
	unleash?: Readonly<{ url: string; token: string; adminToken?: string; environment: string }>;
	/** The issuer of the public's accounts; `clientId` is that of the page. */
	person?: Readonly<{ issuer: string; audience: string; clientId: string }>;
	/** An address, or `none`: nobody checks. */
	eligibilityUrl?: string;
	/** A public beacon that answers as drand does: its value decides the draw of a waiting room. */
	drawRandomnessUrl?: string;
	siteFile?: string;
	levelsFile?: string;
	/** `measured` is false for the default of a real service, which nobody has measured: the board says so. */
	admitPerSecond: Readonly<{ value: number; measured: boolean }>;
	marsadSecret?: string;
	/** True in the laboratory too. */
	demo: boolean;
	demoPassword?: string;
	/** `timeFrom`: since when its clock runs faster, the same on every instance; its own start where none is named. */
	lab?: Readonly<{ checkMs: number; timeScale: number; timeFrom?: number }>;
	logLevel: string;
	/** The folder of the built web. */
	webRoot: string;
}>;

/** The environment cannot be used as it is; `faults` holds one line for each reason. */
export class ConfigError extends Error {
	readonly faults: readonly string[];
	constructor(faults: readonly string[]) {
		super(faults.join('; '));
		this.name = 'ConfigError';
		this.faults = faults;
	}
}

/** Whether an address or name is this machine's own loopback. */
export function isLoopback(host: string): boolean {
	return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i.test(host);
}

/**
 * Reads the environment once.
 * @throws ConfigError with every fault at once; values are never part of a message.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
	const given: Record<string, string> = {};
	for (const name of environmentNames) {
		const value = env[name]?.trim();
		// Compose and CI hand on unset variables as empty strings: empty is not given.
		if (value) given[name] = value;
	}
	const values = Value.Default(Environment, Value.Convert(Environment, given));
	const faults = [...schemaFaults(values), ...ruleFaults(values as Environment)];
	if (faults.length > 0) throw new ConfigError(faults);
	return toConfig(values as Environment);
}

function schemaFaults(values: unknown): string[] {
	const names = new Set(
		Value.Errors(Environment, values).map((error) => error.instancePath.split('/')[1] ?? '')
	);
	const properties = Environment.properties as Record<string, unknown> as Record<
		string,
		{ description?: string }
	>;
	return [...names].map((name) => `${name} must be ${properties[name]?.description ?? 'a text'}`);
}

function ruleFaults(env: Environment): string[] {
	const faults: string[] = [];
	if (env.VALKEY_URL !== undefined && env.MARSAD_SECRET === undefined) {
		faults.push(
			'VALKEY_URL needs MARSAD_SECRET, the same on every instance: tickets and passes are signed with it'
		);
	}
	if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined) {
		faults.push('DATABASE_DIRECT_URL needs DATABASE_URL');
	}
	if (env.UNLEASH_URL !== undefined && env.UNLEASH_TOKEN === undefined) {
		faults.push('UNLEASH_URL needs UNLEASH_TOKEN');
	}
	if (env.PERSON_ISSUER !== undefined && env.PERSON_AUDIENCE === undefined) {
		faults.push('PERSON_ISSUER needs PERSON_AUDIENCE');
	}
	if (env.PERSON_CLIENT_ID !== undefined && env.PERSON_ISSUER === undefined) {
		faults.push('PERSON_CLIENT_ID needs PERSON_ISSUER');
	}
	if (env.PERSON_ISSUER?.startsWith('http:') && !isLoopback(hostOf(env.PERSON_ISSUER))) {
		faults.push('PERSON_ISSUER must be an https:// address, unless it is on this machine');
	}
	for (const mode of ['DEMO', 'LAB'] as const) {
		if (env[mode] !== true) continue;
		if (!isLoopback(String(env.HOST))) faults.push(`${mode} runs on a loopback HOST only`);
		if (env.PERSON_ISSUER !== undefined) faults.push(`${mode} cannot run with PERSON_ISSUER set`);
		if (env.NODE_ENV === 'production') faults.push(`${mode} cannot run with NODE_ENV=production`);
	}
	return faults;
}

function toConfig(env: Environment): Config {
	const simulated = env.DEMO || env.LAB;
	const unleash = env.UNLEASH_URL !== undefined &&
		env.UNLEASH_TOKEN !== undefined && {
			unleash: Object.freeze({
				url: env.UNLEASH_URL,
				token: env.UNLEASH_TOKEN,
				environment: env.UNLEASH_ENVIRONMENT,
				...optional('adminToken', env.UNLEASH_ADMIN_TOKEN)
			})
		};
	const person = env.PERSON_ISSUER !== undefined &&
		env.PERSON_AUDIENCE !== undefined && {
			person: Object.freeze({
				issuer: env.PERSON_ISSUER,
				audience: env.PERSON_AUDIENCE,
				clientId: env.PERSON_CLIENT_ID ?? env.PERSON_AUDIENCE
			})
		};
	const lab = env.LAB && {
		lab: Object.freeze({
			checkMs: env.LAB_CHECK_MS,
			timeScale: env.LAB_TIME_SCALE,
			...(env.LAB_TIME_FROM === undefined ? {} : { timeFrom: env.LAB_TIME_FROM })
		})
	};
	return Object.freeze({
		port: env.PORT,
		host: env.HOST,
		dataDir: resolve(env.DATA_DIR),
		...optional('databaseUrl', env.DATABASE_URL),
		...optional('databaseDirectUrl', env.DATABASE_DIRECT_URL),
		databasePoolMax: env.DATABASE_POOL_MAX,
		...optional('valkeyUrl', env.VALKEY_URL),
		...optional('mqttUrl', env.MQTT_URL),
		mqttPort: env.MQTT_PORT,
		...unleash,
		...person,
		...optional('eligibilityUrl', env.ELIGIBILITY_URL),
		...optional('drawRandomnessUrl', env.DRAW_RANDOMNESS_URL),
		...optional('siteFile', env.SITE_FILE),
		...optional('levelsFile', env.LEVELS_FILE),
		admitPerSecond: Object.freeze({
			value: env.ADMIT_PER_SECOND ?? (simulated ? 250 : 50),
			measured: env.ADMIT_PER_SECOND !== undefined || simulated
		}),
		...optional('marsadSecret', env.MARSAD_SECRET),
		demo: simulated,
		...optional('demoPassword', env.DEMO_PASSWORD),
		...lab,
		logLevel: env.LOG_LEVEL,
		webRoot: resolve(repositoryRoot, 'web/build')
	});
}

function hostOf(url: string): string {
	return URL.canParse(url) ? new URL(url).hostname : '';
}

function optional<Name extends string>(name: Name, value: string | undefined): { [key in Name]?: string } {
	return value === undefined ? {} : ({ [name]: value } as { [key in Name]: string });
}
