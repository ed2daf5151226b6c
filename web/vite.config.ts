import { paraglideVitePlugin } from '@inlang/paraglide-js';
import adapterStatic from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { withExternalScripts } from './build-tools/external-scripts.ts';
import { withScanShell } from './build-tools/scan-shell.ts';

export default defineConfig({
	// The public page loads its later scripts by address, with what they export.
	worker: { format: 'es' },
	plugins: [
		paraglideVitePlugin({
			project: './project.inlang',
			outdir: './src/lib/paraglide',
			strategy: ['globalVariable', 'baseLocale'],
			emitReadme: false
		}),
		sveltekit({
			// app.html is the shell of the staff screens: the server answers with it for every path of the console.
			adapter: withScanShell(withExternalScripts(adapterStatic({ fallback: 'app.html', precompress: true }))),
			// Every page stands on its own; a link may lead to an answer of the server.
			prerender: { crawl: false },
			paths: { relative: false }
		})
	]
});
