import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = path.join(root, 'server/src');

/** The order in which features stand on each other: each may import only those before it. */
const featureOrder = [
	'record',
	'people',
	'site',
	'sensors',
	'zones',
	'permits',
	'booking',
	'entries',
	'reductions',
	'waiting-room',
	'gates',
	'alarms',
	'dispatch',
	'messages',
	'spike',
	'levels',
	'season',
	'forecast',
	'runs',
	// It reads what the others leave as evidence.
	'readiness',
	'board'
];

interface SourceFile {
	file: string;
	text: string;
	imports: string[];
	/** Without those that only name a type: they carry no code. */
	valueImports: string[];
}

function readSources(folder: string, extensions = /\.(ts|js|svelte)$/): SourceFile[] {
	const skipped = /(^|\/)(node_modules|build|\.svelte-kit|paraglide|dist)(\/|$)/;
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && extensions.test(entry.name))
		.map((entry) => path.join(entry.parentPath, entry.name))
		.filter((file) => !skipped.test(path.relative(root, file)))
		.map((file) => {
			const text = readFileSync(file, 'utf8');
			const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
				(match) => match[1] ?? ''
			);
			const values = text.replace(/^(import|export) type [^;]*;/gm, '');
			const valueImports = [...values.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
				(match) => match[1] ?? ''
			);
			return { file: path.relative(root, file), text, imports, valueImports };
		});
}

const server = readSources(source);
const code = server.filter(({ file }) => !/\.(test|fixture)\.ts$/.test(file));
const resolved = (file: string, target: string) => path.join(path.dirname(file), target);
const featureOf = (file: string) => /^server\/src\/features\/([^/]+)\//.exec(file)?.[1];

describe('the house', () => {
	it('knows the place of every feature', () => {
		const folders = readdirSync(path.join(source, 'features'));
		expect(folders.filter((folder) => !featureOrder.includes(folder))).toEqual([]);
	});

	it('lets a feature import only earlier ones, through their one door', () => {
		const faults: string[] = [];
		for (const { file, imports } of code) {
			const own = featureOf(file);
			if (!own) continue;
			for (const target of imports.filter((name) => name.startsWith('.'))) {
				const full = resolved(file, target);
				const other = featureOf(full);
				if (!other || other === own) continue;
				if (featureOrder.indexOf(other) >= featureOrder.indexOf(own))
					faults.push(`${file} imports the later ${other}`);
				if (!full.endsWith(`features/${other}/index.ts`))
					faults.push(`${file} goes round the door of ${other}`);
			}
		}
		expect(faults).toEqual([]);
	});

	it('keeps domain words out of the platform', () => {
		const faults = code
			.filter(({ file }) => file.startsWith('server/src/platform/'))
			.flatMap(({ file, imports }) =>
				imports.filter((name) => /features\//.test(name)).map((name) => `${file}: ${name}`)
			);
		expect(faults).toEqual([]);
	});

	it('keeps pure files free of the platform', () => {
		const ways = /(-store|-routes|-live|-ingest|-route|index|-worker)\.ts$/;
		const impure = new Set(
			code
				.filter(
					({ file, valueImports }) =>
						featureOf(file) &&
						!ways.test(file) &&
						valueImports.some((name) =>
							/platform\/(database|broker|realtime|http|embedded|leader)\//.test(name)
						)
				)
				.map(({ file }) => file)
		);
		expect([...impure]).toEqual([]);
	});

	it('writes SQL in stores alone', () => {
		const sqlSign = /\b(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^>]*>)?`|\.query\(\s*[`'"]/;
		const faults = code
			.filter(({ file, text }) => sqlSign.test(text) && !/-store\.ts$/.test(file) && !sqlElsewhere.has(file))
			.map(({ file }) => file);
		expect(faults).toEqual([]);
	});

	it('reads the environment in one file', () => {
		const faults = code
			.filter(({ file, text }) => /process\.env\b/.test(text) && !environmentReaders.has(file))
			.map(({ file }) => file);
		expect(faults).toEqual([]);
	});

	it('takes time from the clock alone', () => {
		const faults = code
			.filter(
				({ file, text }) =>
					/\bDate\.now\(\)|new Date\(\)/.test(text) &&
					file !== 'server/src/platform/clock.ts' &&
					!realTimeReaders.has(file)
			)
			.map(({ file }) => file);
		expect(faults).toEqual([]);
	});

	it('lets the contract import typebox and cborg alone', () => {
		const faults = readSources(path.join(root, 'server/contract'))
			.filter(({ file }) => !file.endsWith('.test.ts'))
			.flatMap(({ file, imports }) =>
				imports
					.filter((name) => !name.startsWith('./') && !/^(typebox|cborg)(\/|$)/.test(name))
					.map((name) => `${file}: ${name}`)
			);
		expect(faults).toEqual([]);
	});

	it('shows web and simulators nothing of the server but the contract', () => {
		const faults = [
			...readSources(path.join(root, 'web/src')),
			...readSources(path.join(root, 'simulators'))
		].flatMap(({ file, imports }) =>
			imports
				.filter(
					(name) =>
						(/^@marsad\/server/.test(name) && !/^@marsad\/server\/contract(\/(model|permit))?$/.test(name)) ||
						/\.\.\/server\//.test(name)
				)
				.filter(() => !/\.(test|fixture)\.ts$|(^|\/)test\//.test(file))
				.map((name) => `${file}: ${name}`)
		);
		expect(faults).toEqual([]);
	});
});

/** SQL outside stores: the pool's own liveness probe. */
const sqlElsewhere = new Set<string>([
	'server/src/platform/database/database.ts',
	// Asks the embedded PostgreSQL whether it answers yet.
	'server/src/platform/embedded/postgres-process.ts'
]);
const environmentReaders = new Set<string>(['server/src/config.ts', 'server/src/main.ts']);
/** Process files that run before there is a clock, or talk about processes and files. */
const realTimeReaders = new Set<string>([]);
