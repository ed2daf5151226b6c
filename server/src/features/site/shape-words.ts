import { Value } from 'typebox/value';
import type { LocalText } from '../../../contract/index.ts';
import { fault, type Finding } from './finding.ts';

type ShapeError = ReturnType<typeof Value.Errors>[number];

/** Faults of one part that are listed: what follows is usually the same again. */
const faultsPerPartMax = 5;

/** What is wrong with the shape of one part of the file, a sentence each place, in words and not in those of schemas. */
export function shapeFaultsOf(schema: object, value: unknown, who: LocalText): Finding[] {
	if (Value.Check(schema, value)) return [];
	const byPlace = Map.groupBy(Value.Errors(schema, value), ({ instancePath }) => instancePath);
	return [...byPlace]
		.flatMap(([path, errors]) => {
			const words = wordsOf(errors, valueAt(value, path));
			if (!words) return [];
			const where = path.replace(/^\/properties(?=\/|$)/, '').slice(1);
			const place = where === '' ? '' : `"${where.replaceAll('/', '.')}" `;
			return [fault(`${who.en}: ${place}${words.en}.`, `${who.ar}: ${place}${words.ar}.`)];
		})
		.slice(0, faultsPerPartMax);
}

function valueAt(value: unknown, path: string): unknown {
	return path
		.split('/')
		.slice(1)
		.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);
}

/** All that one place has wrong, as one sentence; null where the place above says it. */
function wordsOf(errors: readonly ShapeError[], value: unknown): LocalText | null {
	const choices = errors.flatMap(({ keyword, params }) =>
		keyword === 'const' ? [String((params as { allowedValue: unknown }).allowedValue)] : []
	);
	if (choices.length > 0) return choiceWords(choices, value);
	for (const error of errors) {
		const words = wordsOfOne(error, value);
		if (words) return words;
	}
	const isSaidElsewhere = errors.every(({ keyword }) => keyword === 'boolean' || keyword === 'anyOf');
	return isSaidElsewhere && typeof value !== 'string'
		? null
		: { en: 'is not as it should be', ar: 'ليست كما ينبغي' };
}

function choiceWords(choices: readonly string[], value: unknown): LocalText {
	const [first = ''] = choices;
	const is = JSON.stringify(value);
	return choices.length === 1
		? { en: `is ${is}; it must be ${first}`, ar: `هي ${is} ويجب أن تكون ${first}` }
		: {
				en: `is ${is}; it must be one of ${choices.join(', ')}`,
				ar: `هي ${is} ويجب أن تكون واحدة من: ${choices.join('، ')}`
			};
}

const quoted = (names: readonly string[], joiner: string) => names.map((name) => `"${name}"`).join(joiner);

function wordsOfOne({ keyword, params }: ShapeError, value: unknown): LocalText | null {
	const given = params as Record<string, unknown>;
	const limit = String(given['limit'] ?? given['comparison'] ?? '');
	const is = JSON.stringify(value);
	switch (keyword as string) {
		case 'additionalProperties': {
			const names = given['additionalProperties'] as string[];
			return {
				en: `holds ${quoted(names, ', ')}, which is not known here: look for a slip of the pen`,
				ar: `فيها ${quoted(names, '، ')} وهو غير معروف هنا؛ لعلّه خطأ في الكتابة`
			};
		}
		case 'required': {
			const names = given['requiredProperties'] as string[];
			return { en: `lacks ${quoted(names, ' and ')}`, ar: `ينقصها ${quoted(names, ' و')}` };
		}
		case 'type':
			return typeWords(String(given['type']), is);
		case 'minimum':
			return { en: `is ${is}; it must be ${limit} at least`, ar: `هي ${is} وأقلّ ما يجوز ${limit}` };
		case 'maximum':
			return { en: `is ${is}; it must be ${limit} at most`, ar: `هي ${is} وأكثر ما يجوز ${limit}` };
		case 'exclusiveMinimum':
			return { en: `is ${is}; it must be more than ${limit}`, ar: `هي ${is} ويجب أن تزيد على ${limit}` };
		case 'minLength':
			return limit === '1'
				? { en: 'is empty', ar: 'فارغة' }
				: { en: `has fewer than ${limit} characters`, ar: `أقصر من ${limit} أحرف` };
		case 'maxLength':
			return { en: `has more than ${limit} characters`, ar: `أطول من ${limit} حرفًا` };
		case 'minItems':
			return { en: `has fewer than ${limit} entries`, ar: `عناصرها أقلّ من ${limit}` };
		case 'maxItems':
			return { en: `has more than ${limit} entries`, ar: `عناصرها أكثر من ${limit}` };
		case 'pattern':
			return patternWords(String(given['pattern']), is);
		default:
			return null;
	}
}

const typeNames: Readonly<Record<string, LocalText>> = {
	integer: { en: 'a whole number', ar: 'عددًا صحيحًا' },
	number: { en: 'a number', ar: 'عددًا' },
	string: { en: 'a text', ar: 'نصًّا' },
	boolean: { en: 'true or false', ar: 'true أو false' },
	array: { en: 'a list in [ ]', ar: 'قائمة بين [ ]' },
	object: { en: 'a group in { }', ar: 'مجموعة بين { }' },
	null: { en: 'null', ar: 'null' }
};

function typeWords(type: string, is: string): LocalText {
	const name = typeNames[type] ?? { en: type, ar: type };
	const short = is === undefined || is.length > 40 ? null : is;
	return short
		? { en: `is ${short}; it must be ${name.en}`, ar: `هي ${short} ويجب أن تكون ${name.ar}` }
		: { en: `must be ${name.en}`, ar: `يجب أن تكون ${name.ar}` };
}

/** How texts with a pattern are written, by an example or in words. */
function patternWords(pattern: string, is: string): LocalText {
	if (pattern.startsWith('^[a-z0-9]'))
		return {
			en: `is ${is}; it may hold small letters, digits, - and _ only, 64 at most, a letter or digit first`,
			ar: `هي ${is} ولا يجوز فيها إلا الأحرف اللاتينية الصغيرة والأرقام و- و_، حتى 64، أوّلها حرف أو رقم`
		};
	const example = pattern.includes('\\d{4}')
		? '2026-01-15'
		: pattern.includes('[01]')
			? '03:30'
			: pattern.includes('/[^/]')
				? '/counts/in'
				: null;
	return example
		? { en: `is ${is}; write it as in "${example}"`, ar: `هي ${is}؛ اكتبها مثل "${example}"` }
		: { en: `is ${is}, which is not written as it should be`, ar: `هي ${is} وليست مكتوبة كما ينبغي` };
}
