import { expect, test } from 'vitest';
import { filesOf, withShell, type ChunkManifest } from './scan-shell.ts';

const manifest: ChunkManifest = {
	app: { file: 'app.js', imports: ['shared'], dynamicImports: ['scan', 'wall'] },
	shared: { file: 'shared.js' },
	scan: {
		file: 'scan.js',
		imports: ['shared'],
		dynamicImports: ['reader'],
		css: ['scan.css'],
		assets: ['a.woff', 'a.woff2']
	},
	reader: { file: 'reader.js', assets: ['reader.wasm'] },
	wall: { file: 'wall.js', imports: ['charts'] },
	charts: { file: 'charts.js' }
};

test('the page, what it loads later and what they name are in the list; other screens are not', () => {
	expect(filesOf(manifest, ['scan'], ['app'])).toEqual([
		...['/a.woff2', '/app.js', '/reader.js', '/reader.wasm', '/scan.css', '/scan.js', '/shared.js']
	]);
});

test('a part that the build does not know is an error, and so is a worker without a place for the list', () => {
	expect(() => filesOf(manifest, ['nowhere'], ['app'])).toThrow(/nowhere/);
	const shell = { version: '1', pageSha256: 'ab', files: ['/x'] };
	expect(withShell('const shell = /* shell */ null /* end */;', shell)).toContain('"files":["/x"]');
	expect(() => withShell('const shell = null;', shell)).toThrow(/place/);
});
