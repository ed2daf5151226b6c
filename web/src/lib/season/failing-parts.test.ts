import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { failingColumns, failingParts } from './failing-parts.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const messages = (['ar', 'en'] as const).map((language) =>
	JSON.parse(readFileSync(`${repository}web/messages/${language}.json`, 'utf8'))
);

describe.each(failingParts)('if $id fails', ({ id, proofs }) => {
	it('a test that is there shows what is said', () => {
		expect(proofs.length).toBeGreaterThan(0);
		for (const { file, name } of proofs) {
			const lines = readFileSync(repository + file, 'utf8').split('\n');
			const found = lines.findIndex((line, index) => {
				const begin = line.includes(`'${name}'`) ? `${lines[index - 1] ?? ''}\n${line}` : '';
				return /\b(it|test)(\.each\(.*\))?\('|\b(it|test)\($|\)\($/m.test(begin);
			});
			expect(found, `${file} has the test "${name}"`).toBeGreaterThan(-1);
		}
	});

	it('what goes on, what stops, what people see and who acts is said in both languages', () => {
		for (const known of messages)
			for (const column of ['name', ...failingColumns])
				expect(known[`fail_${id}_${column}`], `fail_${id}_${column}`).toMatch(/\S{3}/);
	});
});
