import type { Size } from './label-layout.ts';
import type { LabelForm, Line } from './label-text.ts';

/** Measures labels in the letters of the style sheet. */
export interface LabelType {
	/** Size of a zone's name, pixels. */
	namePx: number;
	/** Of each line. */
	sizesOf(form: LabelForm): Size[];
}

interface Letters {
	fontSize: string;
	fontFamily: string;
	fontWeight: string;
}
/** As in the style sheet of the label; figures have nothing below their line. */
const lineHeights = { name: 1.12, more: 1.12, share: 1 } as const;
const smallScale = 0.62;
const shapeEm = 0.8 * (1 + 0.3);

/** @param name letters of a zone's name @param share letters of its figure */
export function createLabelType(name: Letters, share: Letters): LabelType {
	const context = document.createElement('canvas').getContext('2d');
	const [nameType, shareType] = [lettersOf(name), lettersOf(share)];
	const widthOf = (line: Line): number => {
		const { px, family, weight } = line.role === 'share' ? shareType : nameType;
		const size = px * line.scale;
		const parts = line.parts.map(({ text, small = false }) => {
			const partPx = small ? size * smallScale : size;
			if (!context) return text.length * partPx * 0.6;
			context.font = `${small ? '400' : weight} ${partPx}px ${family}`;
			return context.measureText(text).width;
		});
		return parts.reduce((sum, width) => sum + width, line.shape ? size * shapeEm : 0);
	};
	const heightOf = (line: Line): number =>
		(line.role === 'share' ? shareType : nameType).px * line.scale * lineHeights[line.role];
	return {
		namePx: nameType.px,
		sizesOf: (form) =>
			form.map((line) => ({ width: Math.ceil(widthOf(line)), height: Math.ceil(heightOf(line)) }))
	};
}

function lettersOf({ fontSize, fontFamily, fontWeight }: Letters): {
	px: number;
	family: string;
	weight: string;
} {
	return { px: Number.parseFloat(fontSize), family: fontFamily, weight: fontWeight };
}
