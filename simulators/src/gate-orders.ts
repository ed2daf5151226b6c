import { topics } from '@marsad/server/contract';
import type { Orders } from './crowd.ts';

/** Orders that signs at the gates would show, taken from the broker. Nothing heard of a gate: it is open. */
export interface GateOrders extends Orders {
	/** What is to be listened to. */
	readonly topics: readonly string[];
	/** Takes a message; one that cannot be read changes nothing. */
	hear(topic: string, payload: string): void;
	/** Gates that keep people out or let them in slowly, and zones that are left, for a line of text. */
	describe(): string[];
}

interface Sign {
	state?: unknown;
	confirmed?: unknown;
	ratePerMinute?: unknown;
	shows?: unknown;
	active?: unknown;
	zones?: unknown;
}

export function createGateOrders(site: string): GateOrders {
	const inflows = new Map<string, number>();
	/** Ways out as they always are: that they let nobody in is no news. */
	const exits = new Set<string>();
	let leaving: ReadonlySet<string> = new Set();
	const prefix = topics.gateState(site, '').replace(/\/state$/, '');
	return {
		topics: [topics.gateState(site, '+'), topics.evacuation(site)],
		hear(topic, payload) {
			const sign = readSign(payload);
			if (!sign) return;
			if (topic === topics.evacuation(site)) {
				const zones = sign.active === true && Array.isArray(sign.zones) ? sign.zones : [];
				leaving = new Set(zones.filter((zone) => typeof zone === 'string'));
			} else if (topic.startsWith(prefix)) {
				const gate = topic.slice(prefix.length).split('/')[0] ?? '';
				inflows.set(gate, inflowOf(sign));
				if (sign.shows === 'exit' && sign.state === 'open') exits.add(gate);
				else exits.delete(gate);
			}
		},
		inflowPerMinute: (gate) => inflows.get(gate) ?? Infinity,
		isEvacuated: (zone) => leaving.has(zone),
		describe() {
			const slow = [...inflows].filter(([gate, inflow]) => inflow < Infinity && !exits.has(gate));
			return [
				...slow.map(([gate, inflow]) => (inflow === 0 ? `${gate} lets nobody in` : `${gate} ${inflow}/min`)),
				...(leaving.size > 0 ? [`${leaving.size} zones are left`] : [])
			];
		}
	};
}

/** Stewards do what is commanded; an exit, or a gate that shows exit, lets nobody in. */
function inflowOf({ state, ratePerMinute, shows }: Sign): number {
	if (shows === 'exit' || state === 'held' || state === 'closed') return 0;
	if (state === 'metered' && typeof ratePerMinute === 'number') return Math.max(0, ratePerMinute);
	return Infinity;
}

function readSign(payload: string): Sign | null {
	try {
		const value: unknown = JSON.parse(payload);
		return typeof value === 'object' && value !== null ? value : null;
	} catch {
		return null;
	}
}
