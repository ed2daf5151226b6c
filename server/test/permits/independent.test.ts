import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { permitIdToBytes, toHex } from '../../contract/permit/index.ts';
import vectors from '../../contract/permit/vectors.json' with { type: 'json' };

const program = join(import.meta.dirname, 'independent-verifier.js');

/** Runs the second reader, a program of its own, over many texts at once. */
function ask(texts: string[]): { outcome: string; claims?: unknown }[] {
	const input = JSON.stringify({ keys: vectors.keys, texts });
	return JSON.parse(execFileSync(process.execPath, [program], { input, encoding: 'utf8' })) as never;
}

describe('a program written from the format page alone', () => {
	it('reads every good permit as we do', () => {
		const verdicts = ask(vectors.golden.map(({ text }) => text));
		expect(verdicts).toEqual(
			vectors.golden.map(({ claims }) => ({
				outcome: 'genuine',
				claims: { ...claims, id: toHex(permitIdToBytes(claims.id)) }
			}))
		);
	});

	it('refuses every hostile one for the reason that we give', () => {
		const verdicts = ask(vectors.hostile.map(({ text }) => text));
		expect(vectors.hostile.map(({ name }, at) => [name, verdicts[at]?.outcome])).toEqual(
			vectors.hostile.map(({ name, outcome }) => [name, outcome])
		);
	});
});
