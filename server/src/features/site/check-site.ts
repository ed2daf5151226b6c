import { SiteFile, type LocalText } from '../../../contract/index.ts';
import { fault, type Finding } from './finding.ts';
import { shapeFaultsOf } from './shape-words.ts';
import { siteRuleFaults } from './site-rules.ts';
import { siteWarnings } from './site-warnings.ts';

/** Faults beyond this many are counted, not listed: the first ones are usually the cause of the rest. */
const faultsMax = 50;

/** A site file that may be used, or every reason why not, one sentence each. */
export type CheckedSite =
	| { ok: true; file: SiteFile; warnings: LocalText[] }
	| { ok: false; faults: string[]; findings: LocalText[] };

/** Checks a parsed site file: first its shape, then what its parts say about each other. Pure. */
export function checkSite(value: unknown): CheckedSite {
	const faults = shapeFaults(value);
	if (faults.length === 0) faults.push(...siteRuleFaults(value as SiteFile));
	if (faults.length === 0) {
		const file = value as SiteFile;
		return { ok: true, file, warnings: siteWarnings(file).map(({ text }) => text) };
	}
	const more = faults.length - faultsMax;
	const listed = faults.slice(0, faultsMax);
	if (more > 0) listed.push(fault(`There are ${more} more faults.`, `وهناك ${more} خطأ آخر.`));
	const findings = listed.map(({ text }) => text);
	return { ok: false, faults: findings.map(({ en }) => en), findings };
}

/** Names the part of the file by its id where it has one: an index means nothing to who wrote it. */
function shapeFaults(value: unknown): Finding[] {
	if (typeof value !== 'object' || value === null)
		return [fault('The site file is not a JSON object.', 'ملف الموقع ليس كائن JSON.')];
	const head = { ...(value as Record<string, unknown>), features: [] as unknown[] };
	const features = (value as { features?: unknown }).features;
	if (!Array.isArray(features) || features.length === 0)
		return [
			fault(
				'The site file has no features: it needs at least one zone.',
				'ملف الموقع بلا عناصر features: لا بدّ فيه من منطقة واحدة على الأقل.'
			)
		];
	const faults = shapeFaultsOf(HeadOnly, head, { en: 'The site file', ar: 'ملف الموقع' });
	for (const [index, feature] of features.entries()) faults.push(...featureFaults(feature, index));
	if (features.length > 5_000)
		faults.push(
			fault(
				`The site file has ${features.length} features; at most 5,000 are allowed.`,
				`في ملف الموقع ${features.length} عنصرًا؛ والحدّ الأعلى 5000.`
			)
		);
	return faults;
}

const HeadOnly = { ...SiteFile, properties: { ...SiteFile.properties, features: {} } };
const featureSchemas = new Map(
	SiteFile.properties.features.items.anyOf.map((schema) => [
		schema.properties.properties.properties.kind.const as string,
		schema
	])
);

function featureFaults(feature: unknown, index: number): Finding[] {
	const properties = (feature as { properties?: { kind?: unknown; id?: unknown } } | null)?.properties;
	const kind = String(properties?.kind ?? '');
	const schema = featureSchemas.get(kind);
	if (!schema) {
		const kinds = [...featureSchemas.keys()].join(', ');
		return [
			fault(
				`Feature number ${index + 1} has kind "${kind}"; it must be one of ${kinds}.`,
				`العنصر رقم ${index + 1} نوعه "${kind}"؛ والأنواع: ${kinds}.`
			)
		];
	}
	const id = String(properties?.id ?? `number ${index + 1}`);
	return shapeFaultsOf(schema, feature, {
		en: `The ${kind} "${id}"`,
		ar: `${kindWords[kind] ?? 'العنصر'} "${id}"`
	});
}

const kindWords: Readonly<Record<string, string>> = {
	zone: 'المنطقة',
	gate: 'البوابة',
	corridor: 'الممر',
	counter: 'العدّاد',
	place: 'المكان'
};
