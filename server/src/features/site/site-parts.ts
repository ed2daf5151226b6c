import type { SiteFile } from '../../../contract/index.ts';

type Feature = SiteFile['features'][number];
type Kind = Feature['properties']['kind'];
type OfKind<K extends Kind> = Extract<Feature, { properties: { kind: K } }>;

/** The features of a site file by kind, in file order. */
export function partsOf(file: SiteFile) {
	const pick = <K extends Kind>(kind: K) =>
		file.features.filter((feature): feature is OfKind<K> => feature.properties.kind === kind);
	return {
		zones: pick('zone'),
		gates: pick('gate'),
		corridors: pick('corridor'),
		counters: pick('counter'),
		places: pick('place')
	};
}
