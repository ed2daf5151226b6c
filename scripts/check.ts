import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onStop, startProgram } from './lib/child.ts';
import type { Child } from './lib/child.ts';
import { root } from './lib/paths.ts';

type Step = { name: string; program: readonly string[]; cwd?: string; needs?: string };

const modules = join(root, 'node_modules');
const tsc = join(modules, 'typescript/bin/tsc');
const web = join(root, 'web');

const steps: readonly Step[] = [
	{ name: 'types: contract', program: [tsc, '-p', 'server/contract'] },
	{ name: 'types: server', program: [tsc, '-p', 'server'] },
	{ name: 'types: simulators', program: [tsc, '-p', 'simulators'], needs: 'simulators/src' },
	{ name: 'types: scripts', program: [tsc, '-p', 'scripts'] },
	{ name: 'types: e2e', program: [tsc, '-p', 'web/e2e'], needs: 'web/e2e/tsconfig.json' },
	{ name: 'types: deploy', program: [tsc, '-p', 'deploy'] },
	{ name: 'types: k6', program: [tsc, '-p', 'k6'], needs: 'k6/gated.js' },
	{
		name: 'types: web, messages',
		program: [
			join(modules, '@inlang/paraglide-js/bin/run.js'),
			...['compile', '--project', './project.inlang', '--outdir', './src/lib/paraglide'],
			...['--strategy', 'globalVariable', 'baseLocale', '--silent']
		],
		cwd: web
	},
	{ name: 'types: web, sync', program: [join(modules, '@sveltejs/kit/svelte-kit.js'), 'sync'], cwd: web },
	{
		name: 'types: web',
		program: [join(modules, 'svelte-check/bin/svelte-check'), '--fail-on-warnings', '--output', 'human'],
		cwd: web
	},
	{ name: 'lint', program: [join(modules, 'eslint/bin/eslint.js'), '.', '--max-warnings', '0'] },
	{
		name: 'format',
		program: [join(modules, 'prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']
	}
];

let running: Child | undefined;
onStop(async () => running?.stop(), 130);

const filters = process.argv.slice(2);
const failed: string[] = [];
for (const step of steps) {
	if (filters.length > 0 && !filters.some((filter) => step.name.includes(filter))) continue;
	if (step.needs && !existsSync(join(root, step.needs))) {
		process.stdout.write(`- ${step.name}: nothing there yet\n`);
		continue;
	}
	const startedAt = performance.now();
	running = startProgram(process.execPath, step.program, {
		output: 'pipe',
		...(step.cwd !== undefined && { cwd: step.cwd })
	});
	let output = '';
	const keep = (chunk: Buffer): void => void (output += chunk.toString());
	running.process.stdout?.on('data', keep);
	running.process.stderr?.on('data', keep);
	const code = await running.ended;
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
	process.stdout.write(`${code === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)\n`);
	if (code === 0) continue;
	failed.push(step.name);
	process.stdout.write(`${output.trimEnd()}\n`);
}
process.stdout.write(failed.length === 0 ? 'all good\n' : `${failed.length} failed: ${failed.join(', ')}\n`);
process.exit(failed.length === 0 ? 0 : 1);
