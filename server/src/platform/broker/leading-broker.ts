import type { Broker, BrokerState } from './broker.ts';

/** A connection to the broker that is held by the instance that leads alone: the broker keeps one session for all. */
export interface LeadingBroker extends Pick<Broker, 'subscribe' | 'onState'> {
	open(): void;
	close(): Promise<void>;
}

/** What is registered is registered again on every connection that is opened. */
export function createLeadingBroker(connect: () => Broker): LeadingBroker {
	const registrations: Parameters<Broker['subscribe']>[] = [];
	const listeners: ((state: BrokerState) => void)[] = [];
	let broker: Broker | null = null;
	return {
		async subscribe(filter, handler) {
			registrations.push([filter, handler]);
			await broker?.subscribe(filter, handler);
		},
		onState(listener) {
			listeners.push(listener);
			broker?.onState(listener);
		},
		open() {
			if (broker) return;
			const next = connect();
			broker = next;
			for (const listener of listeners) next.onState(listener);
			for (const [filter, handler] of registrations) void next.subscribe(filter, handler);
		},
		async close() {
			const last = broker;
			broker = null;
			await last?.stop();
		}
	};
}
