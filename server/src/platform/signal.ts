/** A typed event source: features tell later ones what happened, after commit. */
export interface Signal<T> {
	on(listener: (event: T) => void): () => void;
	emit(event: T): void;
}

/** A listener that throws never hinders the others; `onError` hears of it. */
export function createSignal<T>(onError: (error: unknown) => void): Signal<T> {
	const listeners = new Set<(event: T) => void>();
	return {
		on(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		emit(event) {
			for (const listener of listeners) {
				try {
					listener(event);
				} catch (error) {
					onError(error);
				}
			}
		}
	};
}
