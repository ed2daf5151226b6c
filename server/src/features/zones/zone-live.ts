import { topics, type CrowdTotal, type Zone } from '../../../contract/index.ts';
import type { Broker } from '../../platform/broker/broker.ts';
import type { TopicHandle } from '../../platform/realtime/hub.ts';

/** While a zone is heard its moment moves every second: screens and signs need it at this pace only. */
const momentEveryMs = 5_000;
const signEveryMs = 5_000;
/**
 * Flow and hold point of a whole minute move a little with every second. Screens get them at the pace of the net and the
 * time to capacity, unless what they say is another thing.
 */
const rateEveryMs = 5_000;

/** Puts figures on the glass, and on the broker for signs and other systems. */
export interface ZoneLive {
	/** Signs are told by the instance that counts alone. */
	show(zones: readonly Zone[], total: CrowdTotal, now: number, counts: boolean): void;
}

export function createZoneLive(options: {
	site: string;
	topic: TopicHandle;
	broker: Pick<Broker, 'publish' | 'state'>;
	onError: (error: unknown) => void;
}): ZoneLive {
	const moments = new Map<string, { content: string; at: number | null }>();
	const rates = new Map<
		string,
		{ said: string; at: number; shown: Pick<Zone, 'flowPerMinute' | 'holdPoint'> }
	>();
	const signs = new Map<string, { content: string; sentAt: number }>();

	/** The moment to show: the one shown before, as long as nothing else changed and it is not far behind. */
	const settle = <T extends { at: number | null }>(key: string, value: T): T => {
		const content = JSON.stringify({ ...value, at: 0 });
		const before = moments.get(key);
		const keep =
			before !== undefined &&
			before.content === content &&
			before.at !== null &&
			value.at !== null &&
			value.at - before.at < momentEveryMs;
		const at = keep ? before.at : value.at;
		moments.set(key, { content, at });
		return { ...value, at };
	};

	const paceRates = (zone: Zone, now: number): Zone => {
		const said = `${zone.quality} ${zone.movement} ${zone.holdPoint?.reached} ${zone.holdPoint?.committed === null} ${zone.flowPerMinute === null}`;
		const before = rates.get(zone.id);
		if (before?.said !== said || now - before.at >= rateEveryMs || now < before.at) {
			const { flowPerMinute, holdPoint } = zone;
			rates.set(zone.id, { said, at: now, shown: { flowPerMinute, holdPoint } });
			return zone;
		}
		return { ...zone, ...before.shown };
	};

	const tellSigns = (zone: Zone, now: number): void => {
		if (!options.broker.state().connected) return;
		const content = JSON.stringify({
			present: zone.present,
			capacity: zone.capacity,
			quality: zone.quality,
			step: zone.step?.percent
		});
		const before = signs.get(zone.id);
		if (before && (before.content === content || now - before.sentAt < signEveryMs)) return;
		signs.set(zone.id, { content, sentAt: now });
		const { present, capacity, occupancy, quality, mark, at } = zone;
		const step = zone.step && { percent: zone.step.percent, asks: zone.step.asks ?? null };
		const payload = JSON.stringify({ present, capacity, occupancy, quality, step, mark, at });
		options.broker
			.publish(topics.zoneOccupancy(options.site, zone.id), payload, { retain: true })
			.catch((error: unknown) => {
				signs.delete(zone.id);
				options.onError(error);
			});
	};

	return {
		show(zones, total, now, counts) {
			options.topic.set('total', settle('total', total));
			for (const zone of zones) {
				options.topic.set(`zone:${zone.id}`, settle(zone.id, paceRates(zone, now)));
				if (counts) tellSigns(zone, now);
			}
		}
	};
}
