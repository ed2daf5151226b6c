import { Value } from 'typebox/value';
import { SiteFile } from '../../../contract/index.ts';
import { siteRuleFaults } from './site-rules.ts';

/** Faults beyond this many are counted, not listed: the first ones are usually the cause of the rest. */
const faultsMax = 50;

/** A site file that may be used, or every reason why not, one sentence each. */
export type CheckedSite = { ok: true; file: SiteFile } | { ok: false; faults: string[] };

/** Checks a parsed site file: first its shape, then what its parts say about each other. Pure. */
export function checkSite(value: unknown): CheckedSite {
	const faults = shapeFaults(value);
	if (faults.length === 0) faults.push(...siteRuleFaults(value as SiteFile));
	if (faults.length === 0) return { ok: true, file: value as SiteFile };
	const more = faults.length - faultsMax;
	return {
		ok: false,
		faults: more > 0 ? [...faults.slice(0, faultsMax), `There are ${more} more faults.`] : faults
	};
}

/** Names the part of the file by its id where it has one: an index means nothing to who wrote it. */
function shapeFaults(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return ['The site file is not a JSON object.'];
	const head = { ...(value as Record<string, unknown>), features: [] as unknown[] };
	const features = (value as { features?: unknown }).features;
	if (!Array.isArray(features) || features.length === 0)
		return ['The site file has no features: it needs at least one zone.'];
	const faults = schemaFaults(HeadOnly, head, 'The site file');
	for (const [index, feature] of features.entries()) faults.push(...featureFaults(feature, index));
	if (features.length > 5_000)
		faults.push(`The site file has ${features.length} features; at most 5,000 are allowed.`);
	return faults;
}

const HeadOnly = { ...SiteFile, properties: { ...SiteFile.properties, features: {} } };
const featureSchemas = new Map(
	SiteFile.properties.features.items.anyOf.map((schema) => [
		schema.properties.properties.properties.kind.const as string,
		schema
	])
);

function featureFaults(feature: unknown, index: number): string[] {
	const properties = (feature as { properties?: { kind?: unknown; id?: unknown } } | null)?.properties;
	const kind = String(properties?.kind ?? '');
	const schema = featureSchemas.get(kind);
	if (!schema) {
		const kinds = [...featureSchemas.keys()].join(', ');
		return [`Feature number ${index + 1} has kind "${kind}"; it must be one of ${kinds}.`];
	}
	return schemaFaults(schema, feature, `The ${kind} "${String(properties?.id ?? `number ${index + 1}`)}"`);
}

function schemaFaults(schema: object, value: unknown, who: string): string[] {
	if (Value.Check(schema, value)) return [];
	return [...Value.Errors(schema, value)].slice(0, 5).map((error) => {
		const where = error.instancePath
			.replace(/^\/properties/, '')
			.split('/')
			.filter(Boolean)
			.join('.');
		return `${who}: ${where ? `"${where}" ` : ''}${error.message}.`;
	});
}
