import { topics, type EvacuationState, type Gate } from '../../../contract/index.ts';
import type { Broker } from '../../platform/broker/broker.ts';

/**
 * Tells signs and other systems, retained: what a gate shows, and whether people leave. Names and reasons stay in the
 * control room.
 */
export interface GateSigns {
	tell(gates: readonly Gate[], evacuation: EvacuationState): void;
	/** Another one may have spoken meanwhile, or the broker forgot: everything is told again. */
	forget(): void;
}

export function createGateSigns(options: {
	site: string;
	broker: Pick<Broker, 'publish' | 'state'>;
	onError: (error: unknown) => void;
}): GateSigns {
	/** Topic to what was published there last. */
	const told = new Map<string, string>();
	const publish = (topic: string, payload: string) => {
		if (told.get(topic) === payload) return;
		told.set(topic, payload);
		options.broker.publish(topic, payload, { retain: true }).catch((error: unknown) => {
			// Only what nobody said anew meanwhile.
			if (told.get(topic) === payload) told.delete(topic);
			options.onError(error);
		});
	};
	return {
		tell(gates, evacuation) {
			if (!options.broker.state().connected) return;
			for (const gate of gates)
				publish(topics.gateState(options.site, gate.id), JSON.stringify(signOf(gate)));
			publish(topics.evacuation(options.site), JSON.stringify(evacuationSign(evacuation)));
		},
		forget: () => told.clear()
	};
}

function signOf({ commanded, confirmed, difference, direction, shows, version, mark }: Gate) {
	const { state, ratePerMinute, holdUntil, at } = commanded;
	return {
		...{ state, ratePerMinute, holdUntil, direction, shows },
		confirmed: difference === null ? (confirmed?.state ?? null) : null,
		...{ version, at, mark }
	};
}

function evacuationSign({ active, version, mark }: EvacuationState) {
	if (!active) return { active: false, version, mark };
	const { scope, zones, gates, startedAt: since, scanners } = active;
	const text = active.messages.find(({ audience }) => audience === 'signs')?.text ?? null;
	return { active: true, scope, zones, gates, since, scanners, text, version, mark };
}
