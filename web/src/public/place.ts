/** What a browser keeps of a place: enough to go on after the page, the tab or the browser was closed. */
export interface Place {
	ticket: string;
	/** Null while the order is still to be drawn. */
	number: number | null;
	/** Null until the first public document told it. */
	epoch: number | null;
	/** People ahead when the place was taken: where the progress bar starts. */
	firstAhead: number;
	party: number;
	/**
	 * Stands in the lane of returners, of which the public document says nothing: the status is asked instead. Before
	 * the draw: came after the list was closed.
	 */
	late: boolean;
	/** Taken under an account: without it the place cannot be shown. */
	account: boolean;
	pass: { token: string; expiresAt: number } | null;
	/**
	 * The turn had come when it was last heard of, and waits until then (by the server's clock; null: nobody said).
	 * A page that starts anew may ask for its status only later, and goes on from here.
	 */
	called?: { until: number | null } | null;
}

/** A signed "ready" of the server: stands for the person for days, checked by its signature alone. */
export interface Ready {
	token: string;
	/** By the server's clock. */
	expiresAt: number;
	party: number;
}

/** The identity of this browser and its place. Nothing of it ever stands in an address. */
export interface PlaceKeeper {
	/** Stands for the person in demo and laboratory. */
	readonly user: string;
	/** True when the identity came from the address (demo and laboratory): a permit may exist already. */
	readonly given: boolean;
	/** Holds a place without an account, the same in every tab of the browser. */
	readonly browserKey: string;
	/** The browser keeps nothing: closing the page loses the place. */
	readonly refused: boolean;
	load(): Place | null;
	save(place: Place | null): void;
	/** Prepared beforehand; none once it is over. */
	loadReady(now: number): Ready | null;
	saveReady(ready: Ready | null): void;
	/** Whether a permit was issued to this browser. */
	hasPermit(): boolean;
	setPermit(has: boolean): void;
}

const keyName = 'marsad.key';

/** `storage` may refuse everything (private windows, full disks): the place then lives as long as the page. */
export function createPlaceKeeper(search: string, storage: Storage, newKey: () => string): PlaceKeeper {
	/** What the storage did not take. */
	const memory = new Map<string, string>();
	const read = (key: string) => {
		try {
			return memory.get(key) ?? storage.getItem(key);
		} catch {
			return null;
		}
	};
	const write = (key: string, value: string | null) => {
		memory.delete(key);
		try {
			if (value === null) storage.removeItem(key);
			else storage.setItem(key, value);
		} catch {
			if (value !== null) memory.set(key, value);
		}
	};

	if (!read(keyName)) write(keyName, newKey());
	// Read again: of five tabs that open together, one wrote last.
	const browserKey = read(keyName)!;
	const asked = new URLSearchParams(search).get('user');
	const user = asked || `web-${browserKey}`;
	const placeKey = `marsad.place.${user}`;
	const permitKey = `marsad.permit.${user}`;
	const readyKey = `marsad.ready.${user}`;
	return {
		user,
		given: Boolean(asked),
		browserKey,
		refused: memory.has(keyName),
		load: () => readPlace(read(placeKey)),
		save: (place) => write(placeKey, place && JSON.stringify(place)),
		loadReady(now) {
			const ready = JSON.parse(read(readyKey) ?? 'null') as Ready | null;
			return ready && ready.expiresAt > now ? ready : null;
		},
		saveReady: (ready) => write(readyKey, ready && JSON.stringify(ready)),
		hasPermit: () => read(permitKey) === '1',
		setPermit: (has) => write(permitKey, has ? '1' : null)
	};
}

/** Anything that is not a whole place is none. */
export function readPlace(text: string | null): Place | null {
	if (!text) return null;
	try {
		const place = JSON.parse(text) as Place;
		const whole =
			typeof place.ticket === 'string' &&
			(place.number === null || Number.isInteger(place.number)) &&
			place.party >= 1;
		return whole ? place : null;
	} catch {
		return null;
	}
}
