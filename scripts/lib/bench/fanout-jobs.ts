/** What the processes with the screens are told, and what they answer with the same `kind`. */
export type FanoutTold =
	| { kind: 'open'; url: string; tokens: readonly string[]; parts: boolean }
	| { kind: 'count' }
	/** Whether a screen that takes parts shows the same as one that takes whole values. */
	| { kind: 'compare'; url: string; tokens: readonly [string, string] }
	| { kind: 'close' };

export interface FanoutCount {
	connected: number;
	/** Payload of everything that came over the sockets, the first state among it. */
	bytes: number;
	/** Of them, first states and states that were asked for again. */
	snapshotBytes: number;
	/** Messages with news. */
	updates: number;
}
