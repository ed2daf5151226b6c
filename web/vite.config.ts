import { paraglideVitePlugin } from '@inlang/paraglide-js';
import adapterStatic from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { withExternalScripts } from './build-tools/external-scripts.ts';

export default defineConfig({
	plugins: [
		paraglideVitePlugin({
			project: './project.inlang',
			outdir: './src/lib/paraglide',
			strategy: ['globalVariable', 'baseLocale'],
			emitReadme: false
		}),
		sveltekit({
			// 200.html is the shell of the staff screens: the server answers with it for /control, /sign-in and /first.
			adapter: withExternalScripts(adapterStatic({ fallback: '200.html', precompress: true })),
			paths: { relative: false }
		})
	]
});
