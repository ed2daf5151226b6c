import type { Parsed } from './strict-parse.ts';

/** An element by its local name: cameras of one make use three namespaces for the same words. */
export interface XmlElement {
	name: string;
	/** The text directly inside it, blanks around it left out. */
	text: string;
	children: XmlElement[];
}

const depthMax = 16;
const elementsMax = 2_000;
const refused = { ok: false, reason: 'bad_xml' } as const;

const declaration = /^\s*<\?xml\s[^?<>]*\?>/;
// One piece after the other: closing tag, opening tag with its attributes, comment, CDATA, text.
const piece =
	/<\/([^\s<>/=]{1,200})\s*>|<([A-Za-z_][^\s<>/=]{0,199})((?:\s+[^\s<>/="']{1,200}\s*=\s*(?:"[^"<]{0,2000}"|'[^'<]{0,2000}'))*)\s*(\/?)>|<!--([^]*?)-->|<!\[CDATA\[([^]*?)\]\]>|([^<]+)/y;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * A small strict reading of XML: elements and texts, nothing that could fetch, define or multiply (no document type,
 * no entities but the five, no processing instructions). Attributes are checked and left out. Bounded in depth and
 * number; what is not well-formed is refused whole.
 */
export function readXml(text: string): Parsed<XmlElement> {
	const root: XmlElement = { name: '', text: '', children: [] };
	const open: XmlElement[] = [root];
	let elements = 0;
	piece.lastIndex = declaration.exec(text)?.[0].length ?? 0;
	while (piece.lastIndex < text.length) {
		const found = piece.exec(text);
		const here = open.at(-1);
		if (!found || !here) return refused;
		const [, closing, opening, , isEmpty, comment, data, plain] = found;
		if (closing !== undefined) {
			if (here === root || here.name !== localName(closing)) return refused;
			here.text = here.text.trim();
			open.pop();
		} else if (opening !== undefined) {
			const element: XmlElement = { name: localName(opening), text: '', children: [] };
			if (++elements > elementsMax || open.length > depthMax) return refused;
			here.children.push(element);
			if (isEmpty === '') open.push(element);
		} else if (comment === undefined) {
			const more = data ?? decodeEntities(plain ?? '');
			if (more === null || (here === root && more.trim() !== '')) return refused;
			here.text += more;
		}
	}
	const [only, ...others] = root.children;
	return open.length === 1 && only && others.length === 0 ? { ok: true, value: only } : refused;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** @returns null for an entity that would have to be defined somewhere */
function decodeEntities(text: string): string | null {
	let known = true;
	const decoded = text.replaceAll(/&([^;&\s]{0,10});?/g, (_, name: string) => {
		const value = entities[name];
		if (value === undefined) known = false;
		return value ?? '';
	});
	return known ? decoded : null;
}
