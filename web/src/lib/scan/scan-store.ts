import type { CountReason, Entry, ScannerSettings, SetAsideCode } from '@marsad/server/contract';
import type { Cursors } from './pull.ts';
import type { ClockPair } from './scan-clock.ts';
import type { UsedPermit } from './uses.ts';

/** A root as it was pinned when the scanner was set up; hexadecimal. */
export interface PinnedRoot {
	kid: string;
	publicKey: string;
}

/** A signed list as the server sent it. It is proven again each time the page starts. */
export interface KeptList {
	bytes: Uint8Array<ArrayBuffer>;
	/** When the server last said that it is the newest, epoch ms by the server. */
	confirmedAt: number;
}

/** Beside a signed difference stand the bits that came of it, compressed: it names them by their hash. */
export interface KeptRevocations extends KeptList {
	packed?: Uint8Array<ArrayBuffer>;
}

/** What survives the page: all of it on this device alone. */
export interface Kept {
	pairing: { token: string; device: string; roots: PinnedRoot[]; pairedAt: number };
	settings: { value: ScannerSettings; heardAt: number };
	keys: KeptList;
	revocations: KeptRevocations;
	/** What the last pull gave for what is kept here. */
	cursors: Cursors;
	/** The newest comparison of clocks. */
	pair: ClockPair;
	/** People are counted and not checked. */
	countOnly: { reason: CountReason; since: number };
	/** The gate was evacuated by hand, without word from the control room. */
	evacuation: { since: number };
	/** The token was refused. */
	refused: { code: string; at: number };
	camera: { deviceId: string };
	sound: 'on' | 'off';
}

/** An entry that the server put aside: it is kept there, and its number is shown here. */
export interface AsideEntry {
	seq: number;
	code: SetAsideCode;
}

/**
 * Everything that a scanner keeps. Each call is one transaction; when it has returned, it is on the disk.
 */
export interface ScanStore {
	read<Name extends keyof Kept>(name: Name): Promise<Kept[Name] | undefined>;
	write(values: Partial<Kept>): Promise<void>;
	forget(...names: (keyof Kept)[]): Promise<void>;
	/**
	 * Keeps a new entry under the next number, and what it says of its permit, both or neither.
	 * @param make gets the number; it never comes a second time
	 */
	add(make: (seq: number) => { entry: Entry; used?: UsedPermit | undefined }): Promise<Entry>;
	/** The same entry with other people in it: only while it was never sent. */
	change(entry: Entry, used?: UsedPermit): Promise<void>;
	/** Numbers go on from here, if they are not beyond it. */
	startFrom(seq: number): Promise<void>;
	oldest(most: number): Promise<Entry[]>;
	waiting(): Promise<number>;
	/** Deletes what the server has stored (inclusive ranges) or put aside, and nothing else. */
	settle(acknowledged: readonly (readonly [number, number])[], aside: readonly AsideEntry[]): Promise<void>;
	asideCount(): Promise<number>;
	findUse(id: string): Promise<UsedPermit | undefined>;
	/** @param beforeSeconds end of the window, epoch seconds */
	forgetUses(beforeSeconds: number): Promise<void>;
	/** After unpairing. Entries must be gone; numbers go on for this device. */
	clear(): Promise<void>;
	close(): void;
}
