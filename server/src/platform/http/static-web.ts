import { createHash } from 'node:crypto';
import { access, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { Log } from '../log.ts';
import type { HotApp } from './hot-app.ts';

/** First path segments that belong to the console: every path below them is answered by its one shell page. */
const consolePaths = new Set(['control', 'field', 'sign-in', 'first']);
const shellFile = 'app.html';
/** The one page that reads codes with the camera, and with WebAssembly where the browser has no reader of its own. */
const scanFile = 'scan.html';

/** Serves the built web from the same origin, each page with a policy that allows exactly its own inline scripts. */
export async function serveWeb(
	app: HotApp,
	webRoot: string,
	log: Log,
	/** Other origins that the public pages may call. */
	alsoCalled: () => readonly string[] = () => []
): Promise<void> {
	if (!(await exists(path.join(webRoot, 'index.html')))) {
		log.warn({ webRoot }, 'the web is not built: only the interfaces are served');
		return;
	}
	const policies = await readPolicies(webRoot);
	await app.register(fastifyStatic, {
		root: webRoot,
		preCompressed: true,
		cacheControl: false,
		index: ['index.html'],
		extensions: ['html'],
		setHeaders(reply, file) {
			// A precompressed file stands beside its page and carries the page's policy.
			const page = path.relative(webRoot, file).replace(/\.(br|gz)$/, '');
			const immutable = page.startsWith(`_app${path.sep}immutable`);
			reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
			reply.header('x-content-type-options', 'nosniff');
			reply.header('referrer-policy', 'no-referrer');
			const policy = policies.get(page);
			if (!policy) return;
			if (page === shellFile) return void reply.header('content-security-policy', policy);
			if (page === scanFile) {
				const scripts = policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
				reply.header('content-security-policy', scripts);
				return void reply.header('permissions-policy', 'camera=(self), geolocation=(), microphone=()');
			}
			const calls = ["connect-src 'self'", ...alsoCalled()].join(' ');
			reply.header('content-security-policy', policy.replace("connect-src 'self'", calls));
			reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
		}
	});
	app.addHook('preHandler', async (request, reply) => {
		if (request.is404 && request.method === 'GET' && consolePaths.has(request.url.split(/[/?#]/)[1] ?? '')) {
			return sendShell(reply);
		}
		return undefined;
	});
}

function sendShell(reply: FastifyReply): FastifyReply {
	return reply.code(200).sendFile(shellFile);
}

async function exists(file: string): Promise<boolean> {
	return access(file).then(
		() => true,
		() => false
	);
}

/** Content-Security-Policy of every page: same origin only, plus the hashes of the page's own inline scripts. */
async function readPolicies(webRoot: string): Promise<Map<string, string>> {
	const policies = new Map<string, string>();
	for (const entry of await readdir(webRoot, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !entry.name.endsWith('.html')) continue;
		const file = path.join(entry.parentPath, entry.name);
		policies.set(path.relative(webRoot, file), contentPolicy(await readFile(file, 'utf8')));
	}
	return policies;
}

/** Builds the policy of one page from its text. */
export function contentPolicy(html: string): string {
	const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
		(match) =>
			`'sha256-${createHash('sha256')
				.update(match[1] ?? '')
				.digest('base64')}'`
	);
	return [
		"default-src 'self'",
		`script-src ${["'self'", ...hashes].join(' ')}`,
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:",
		"connect-src 'self'",
		"object-src 'none'",
		"base-uri 'self'",
		"form-action 'self'",
		"frame-ancestors 'none'"
	].join('; ');
}
