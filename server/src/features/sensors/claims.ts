import type { CounterProperties } from '../../../contract/index.ts';
import { adapters } from './adapters/index.ts';
import type { Adapter, Source } from './reading.ts';

/** What one device of the site file claims: by whom it is read, and the topics that are its own. */
export interface Claim {
	adapter: Adapter;
	source: Source;
	/** Topic filters; those of the site file instead of the adapter's where it names some. */
	topics: readonly string[];
	/** Its counters, in the order of `source.counters`. */
	ids: readonly { id: string; channel: string | null; measures: CounterProperties['measures'] }[];
}

/** A filter to subscribe, and the claims of which a message on it may be. */
export interface Route {
	filter: string;
	claims: readonly Claim[];
}

/** What each device of the site claims, by its name. */
export function claimsOf(
	site: string,
	countersByDevice: ReadonlyMap<string, readonly CounterProperties[]>
): Map<string, Claim> {
	const claims = new Map<string, Claim>();
	for (const [device, counters] of countersByDevice) {
		const adapter = adapters[counters[0]?.adapter ?? 'own'];
		const named = [...new Set(counters.flatMap(({ topic }) => topic ?? []))].filter(isClaimable);
		claims.set(device, {
			adapter,
			source: sourceOf(device, counters),
			topics: named.length > 0 ? named : adapter.topics(site, device),
			ids: counters.map(({ id, channel, measures }) => ({ id, channel: channel ?? null, measures }))
		});
	}
	return claims;
}

/** A pattern reaches neither over everything nor into the product's own topics: those are each device's alone. */
function isClaimable(filter: string): boolean {
	const [first = ''] = filter.split('/');
	return !/[+#]/.test(first) && first !== 'marsad' && !first.startsWith('$');
}

function sourceOf(device: string, counters: readonly CounterProperties[]): Source {
	return {
		device,
		decoder: counters.find(({ decoder }) => decoder !== undefined)?.decoder ?? null,
		counters: counters.map(({ channel, measures, mapping }) => ({
			channel: channel ?? null,
			measures,
			mapping: mapping ?? null
		}))
	};
}

/** Each filter once, however many devices share it; adapters that speak for all their devices by one filter. */
export function routesOf(site: string, claims: ReadonlyMap<string, Claim>): Route[] {
	const byFilter = new Map<string, Claim[]>();
	for (const adapter of Object.values(adapters)) {
		const anybody: Claim = {
			adapter,
			source: { device: '', decoder: null, counters: [] },
			topics: [],
			ids: []
		};
		for (const filter of adapter.topicsOfAll?.(site) ?? []) byFilter.set(filter, [anybody]);
	}
	for (const claim of claims.values()) {
		if (claim.adapter.topicsOfAll) continue;
		for (const filter of claim.topics) byFilter.set(filter, [...(byFilter.get(filter) ?? []), claim]);
	}
	return [...byFilter].map(([filter, of]) => ({ filter, claims: of }));
}

/** What a device may publish: what it claims, and what else its software sends. */
export function publishTopics(site: string, { adapter, source, topics }: Claim): string[] {
	const all = [...new Set([...topics, ...adapter.mayPublish(site, source.device)])];
	return all.filter((topic) => !all.some((wider) => wider !== topic && isBelow(topic, wider)));
}

const isBelow = (topic: string, filter: string): boolean =>
	filter.endsWith('/#') && topic.startsWith(filter.slice(0, -1));
