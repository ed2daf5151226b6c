import { expect, test } from 'vitest';
import { moveScriptsOut } from './external-scripts.ts';

test('no inline script stays in a page, and scripts of their own files are left alone', () => {
	const page =
		'<html><script src="/boot.js"></script><body><script>\n\tstart(1);\n</script><script>start(2)</script></body></html>';
	const { html, files } = moveScriptsOut(page);
	expect(html).not.toMatch(/<script>/);
	expect(html).toContain('<script src="/boot.js"></script>');
	expect([...files.values()]).toEqual(['\n\tstart(1);\n', 'start(2)']);
	for (const name of files.keys()) expect(html).toContain(`<script src="/_app/immutable/${name}"></script>`);
});

test('the same script has the same name in every build, another one another', () => {
	const nameOf = (code: string) => [...moveScriptsOut(`<script>${code}</script>`).files.keys()][0];
	expect(nameOf('a()')).toBe(nameOf('a()'));
	expect(nameOf('a()')).not.toBe(nameOf('b()'));
	expect(moveScriptsOut('<p>plain</p>').files.size).toBe(0);
});
