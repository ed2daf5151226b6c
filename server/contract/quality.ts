import { Type, type Static } from 'typebox';

/** How far a figure can be trusted: `partial` misses a source, `stale` is older than three periods, `unknown` has none. */
export const Quality = Type.Union([
	Type.Literal('live'),
	Type.Literal('partial'),
	Type.Literal('stale'),
	Type.Literal('unknown')
]);
export type Quality = Static<typeof Quality>;

/** What a figure must be marked with wherever it is shown. */
export const Mark = Type.Union([Type.Literal('none'), Type.Literal('simulated'), Type.Literal('exercise')]);
export type Mark = Static<typeof Mark>;

/** A text in both languages of the staff screens. */
export const LocalText = Type.Object(
	{ ar: Type.String({ minLength: 1, maxLength: 400 }), en: Type.String({ minLength: 1, maxLength: 400 }) },
	{ additionalProperties: false }
);
export type LocalText = Static<typeof LocalText>;

/** Provenance that every group of figures carries: when it was true (epoch ms), how good it is, how it is marked. */
export const Provenance = Type.Object({ at: Type.Integer(), quality: Quality, mark: Mark });
export type Provenance = Static<typeof Provenance>;

/** A number or nothing: an unknown figure is null, never 0. */
export const NumberOrNull = Type.Union([Type.Number(), Type.Null()]);

const qualityOrder: readonly Quality[] = ['live', 'partial', 'stale', 'unknown'];

/** The worse of two qualities: a total is never better than its parts. */
export function worseQuality(a: Quality, b: Quality): Quality {
	return qualityOrder.indexOf(a) >= qualityOrder.indexOf(b) ? a : b;
}
