import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { holds, registry } from './registry.ts';

/**
 * `node run.ts SCRIPT` runs one iteration of a k6 script through the stand-in and writes the script's summary, then
 * one line of JSON with what was measured. The environment is the script's.
 */
const modules: Record<string, string> = {
	k6: './k6.ts',
	'k6/http': './http.ts',
	'k6/metrics': './metrics.ts',
	'k6/ws': './ws.ts'
};
registerHooks({
	resolve(specifier, context, nextResolve) {
		const own = modules[specifier];
		return own
			? { url: new URL(own, import.meta.url).href, shortCircuit: true }
			: nextResolve(specifier, context);
	}
});

interface Script {
	options: { thresholds?: Record<string, string[]> };
	setup?(): unknown;
	default(data: unknown): void;
	teardown?(data: unknown): void;
	handleSummary?(data: unknown): Record<string, string>;
}

const [file] = process.argv.slice(2);
if (!file) throw new Error('which script?');
process.stdout.write('a stand-in for k6: one person, one iteration, no load\n');
Object.assign(globalThis, { __ENV: process.env, __VU: 1, __ITER: 0 });
const script = (await import(pathToFileURL(file).href)) as Script;
const data = script.setup?.();
script.default(data);
script.teardown?.(data);

const metrics = registry.metrics() as Record<
	string,
	{ values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }
>;
for (const [name, limits] of Object.entries(script.options.thresholds ?? {})) {
	const metric = (metrics[name] ??= { values: {} });
	metric.thresholds = Object.fromEntries(limits.map((limit) => [limit, { ok: holds(limit, metric.values) }]));
}
const outputs = script.handleSummary?.({ metrics, state: { testRunDurationMs: performance.now() } }) ?? {};
process.stdout.write(`${outputs['stdout'] ?? ''}\n`);
process.stdout.write(`${JSON.stringify({ metrics, failedChecks: registry.failedChecks })}\n`);
