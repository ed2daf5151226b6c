import { describe, expect, it } from 'vitest';
import { tidyWords } from './text.ts';

describe('words of a person', () => {
	it.each(['name', 'reason', 'note', 'ar'])(
		'%s: what turns or hides the text around it is left out',
		(field) => {
			const said = { [field]: ' Gate\u202e 5\u200b\u2066 ' };
			expect(tidyWords({ list: [said] })).toEqual({ list: [{ [field]: 'Gate 5' }] });
		}
	);

	it('joiners and plain direction marks stay, and so does every other field', () => {
		const said = { name: 'می\u200cشود \u200f5', gate: 'a\u202eb' };
		expect(tidyWords(said)).toEqual(said);
	});
});
