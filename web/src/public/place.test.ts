import { describe, expect, it } from 'vitest';
import { createPlaceKeeper, readPlace, type Place } from './place.ts';

function memoryStorage(): Storage {
	const values = new Map<string, string>();
	return {
		getItem: (key: string) => values.get(key) ?? null,
		setItem: (key: string, value: string) => void values.set(key, value),
		removeItem: (key: string) => void values.delete(key)
	} as unknown as Storage;
}
const refusing = {
	getItem() {
		throw new Error('refused');
	},
	setItem() {
		throw new Error('refused');
	}
} as unknown as Storage;
const place: Place = {
	...{ ticket: 't', number: 5, epoch: 1, firstAhead: 4, party: 2 },
	...{ late: false, account: false, pass: null }
};

describe('the place in the browser', () => {
	it('is there again after the page was closed', () => {
		const storage = memoryStorage();
		const first = createPlaceKeeper('', storage, () => 'one');
		first.save(place);
		const again = createPlaceKeeper('', storage, () => 'two');
		expect([again.browserKey, again.user, again.given]).toEqual(['one', 'web-one', false]);
		expect([again.load(), again.refused]).toEqual([place, false]);
		again.save(null);
		expect(first.load()).toBeNull();
	});
	it('belongs to one identity: another in the address has its own', () => {
		const storage = memoryStorage();
		createPlaceKeeper('?user=a', storage, () => 'x').save(place);
		expect(createPlaceKeeper('?user=b', storage, () => 'x').load()).toBeNull();
		expect(createPlaceKeeper('?user=a&x=1', storage, () => 'x')).toMatchObject({ user: 'a', given: true });
	});
	it('lives as long as the page where the browser keeps nothing', () => {
		const keeper = createPlaceKeeper('', refusing, () => 'one');
		keeper.save(place);
		keeper.setPermit(true);
		expect([keeper.load(), keeper.hasPermit(), keeper.refused]).toEqual([place, true, true]);
	});
	it('keeps that somebody is prepared, until it is over', () => {
		const keeper = createPlaceKeeper('', memoryStorage(), () => 'one');
		expect(keeper.loadReady(0)).toBeNull();
		keeper.saveReady({ token: 'R', expiresAt: 10, party: 2 });
		expect([keeper.loadReady(9)?.token, keeper.loadReady(10)]).toEqual(['R', null]);
	});
	it('may have no number before the draw', () => {
		expect(readPlace(JSON.stringify({ ...place, number: null }))?.number).toBeNull();
	});
	it('is none when what was kept is broken', () => {
		for (const text of [null, '', '{', '5', 'null', '{"ticket":1}']) expect(readPlace(text)).toBeNull();
	});
});
