import { arabic } from './ar.ts';
import { bengali } from './bn.ts';
import { english } from './en.ts';
import { french } from './fr.ts';
import { indonesian } from './id.ts';
import type { Language, Texts } from './texts.ts';
import { turkish } from './tr.ts';
import { urdu } from './ur.ts';

/** Every language, for the build and for tests: a page carries its own alone. */
export const allTexts: Readonly<Record<Language, Texts>> = {
	ar: arabic,
	en: english,
	ur: urdu,
	id: indonesian,
	tr: turkish,
	bn: bengali,
	fr: french
};
