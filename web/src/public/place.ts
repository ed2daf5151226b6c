/** What a browser keeps of a place: enough to go on after the page, the tab or the browser was closed. */
export interface Place {
	ticket: string;
	number: number;
	/** Null until the first public document told it. */
	epoch: number | null;
	/** People ahead when the place was taken: where the progress bar starts. */
	firstAhead: number;
	party: number;
	/** Stands in the lane of returners, of which the public document says nothing: the status is asked instead. */
	late: boolean;
	pass: { token: string; expiresAt: number } | null;
}

/** The identity of this browser and its place. Nothing of it ever stands in an address. */
export interface PlaceKeeper {
	readonly user: string;
	/** True when the identity came from the address (demo and laboratory): a permit may exist already. */
	readonly given: boolean;
	load(): Place | null;
	save(place: Place | null): void;
	/** Whether a permit was issued to this browser. */
	hasPermit(): boolean;
	setPermit(has: boolean): void;
}

const userKey = 'marsad.user';

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

	const asked = new URLSearchParams(search).get('user');
	let user = asked ?? read(userKey);
	if (!user) {
		user = newKey();
		write(userKey, user);
	}
	const placeKey = `marsad.place.${user}`;
	const permitKey = `marsad.permit.${user}`;
	return {
		user,
		given: Boolean(asked),
		load: () => readPlace(read(placeKey)),
		save: (place) => write(placeKey, place && JSON.stringify(place)),
		hasPermit: () => read(permitKey) === '1',
		setPermit: (has) => write(permitKey, has ? '1' : null)
	};
}

/** Anything that is not a whole place is none. */
export function readPlace(text: string | null): Place | null {
	if (!text) return null;
	try {
		const place = JSON.parse(text) as Place;
		const whole = typeof place.ticket === 'string' && Number.isInteger(place.number) && place.party >= 1;
		return whole ? place : null;
	} catch {
		return null;
	}
}
