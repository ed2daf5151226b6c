import { randomUUID } from 'node:crypto';
import type { Booked, Slot } from '@marsad/server/contract';
import type { Answer } from './people-api.ts';
import {
	between,
	codeOf,
	insist,
	isForNow,
	loseNetworkAt,
	type Ending,
	type Person
} from './people-person.ts';

const slotTriesMax = 6;

/** Thinks, chooses a slot and books it; the next one when it is full. */
export async function chooseAndBook(person: Person, token: string): Promise<Ending> {
	const { api, temper, random } = person;
	await person.sleep(temper.slow ? between(random, 2_000, 40_000) : between(random, 500, 3_000));
	let wanted: number | null = null;
	for (let turn = 0; turn < slotTriesMax; turn++) {
		if (wanted === null) {
			const slots = await insist(person, () => api.slots());
			if (!slots.ok) return { kind: 'refused', at: 'book', code: codeOf(slots) };
			wanted = chooseSlot(slots.body.slots, temper.party, random);
		}
		if (wanted === null) return { kind: 'full' };
		const slot: number = wanted;
		const key = temper.traits ? randomUUID() : undefined;
		const booked = await bookOnce(person, token, slot, key);
		if (booked.ok) {
			await tryAgain(person, token, key, booked.body);
			const permit = await changeMind(person, booked.body);
			return { kind: 'booked', ...permit };
		}
		const code = codeOf(booked);
		if (code === 'already_booked') return { kind: 'already' };
		if (code !== 'slot_full') return { kind: 'refused', at: 'book', code };
		person.onRefused(code);
		const offered = booked.problem['alternatives'];
		const [next] = Array.isArray(offered) ? (offered as { id: number }[]) : [];
		// Half of the people take what is offered, the others look at the list again.
		wanted = next && random() < 0.5 ? next.id : null;
		await person.sleep(between(random, 300, 2_000));
	}
	return { kind: 'full' };
}

/** One booking under one key; the answer may be lost on the way and asked for again. */
async function bookOnce(
	person: Person,
	token: string,
	slot: number,
	key: string | undefined
): Promise<Answer<Booked>> {
	const { api, user, watch } = person;
	const book = () => api.book(user, token, slot, key);
	let lost: Answer<Booked> | null = null;
	await loseNetworkAt(person, 'booking', async () => void (lost = await book()));
	const answer = await insist(person, book);
	const first = lost as Answer<Booked> | null;
	for (const each of first ? [first, answer] : [answer]) if (each.ok) watch.booked(user, each.body.permit);
	// The lost answer was a permit: the repeat must find it, though the pass is dead by now.
	if (first?.ok && !answer.ok && !isForNow(answer)) watch.fault('repeatDiffers');
	return answer;
}

/** A repeat under the same key gets the same answer; a dead pass gets its holder to the permit, never to a second one. */
async function tryAgain(
	person: Person,
	token: string,
	key: string | undefined,
	booked: Booked
): Promise<void> {
	const { api, user, traits, watch } = person;
	if (traits.repeatsBooking) {
		watch.tried('sent the booking again');
		const again = await insist(person, () => api.book(user, token, booked.slot, key));
		if (again.ok ? again.body.permit !== booked.permit : !isForNow(again)) watch.fault('repeatDiffers');
		if (again.ok) watch.booked(user, again.body.permit);
	}
	if (!traits.retriesDeadPass) return;
	watch.tried('booked again with a dead pass');
	await person.sleep(between(person.random, 1_000, 3_000));
	for (const slot of [booked.slot, booked.slot === 1 ? 2 : 1]) {
		const answer = await insist(person, () => api.book(user, token, slot));
		const permit = answer.ok ? answer.body.permit : answer.problem['permit'];
		if (answer.ok) watch.booked(user, answer.body.permit);
		else if (isForNow(answer) || answer.lost !== null) continue;
		if (permit !== booked.permit) watch.fault('deadPassRefused');
	}
}

/**
 * Looks at where the place is, and now and then wants another slot; neither is asked for while the page says that it is
 * switched off. Whoever is refused keeps what was booked.
 */
async function changeMind(
	person: Person,
	{ slot, permit }: Booked
): Promise<{ permit: string; slot: number }> {
	const { api, user, traits, temper, watch, random } = person;
	const kept = { permit, slot };
	if (!person.temper.traits) return kept;
	const listed = await api.slots();
	const place = listed.ok ? listed.body.slots.find(({ id }) => id === slot)?.place : undefined;
	const known = listed.ok && place !== undefined && listed.body.places?.[place] !== undefined;
	if (known && !api.isOff('images')) {
		watch.tried('looked at the picture of the place');
		await api.picture(place);
	}
	if (!traits.changes) return kept;
	if (api.isOff('change-slot')) {
		watch.tried('wanted another slot, and read that changing is off');
		return kept;
	}
	const others = listed.ok ? listed.body.slots.filter(({ id }) => id !== slot) : [];
	const wanted = chooseSlot(others, temper.party, random);
	if (wanted === null) return kept;
	watch.tried('changed to another slot');
	const answer = await api.change(user, permit, wanted);
	if (!answer.ok) {
		person.onRefused(codeOf(answer));
		return kept;
	}
	watch.changed(user, answer.body.permit);
	return { permit: answer.body.permit, slot: answer.body.slot };
}

/** Early hours are wanted most: the square of a random number leans to the front of the list. Null when all is full. */
export function chooseSlot(
	slots: readonly Pick<Slot, 'id' | 'left' | 'full'>[],
	party: number,
	random: () => number
): number | null {
	const open = slots.filter(({ left, full }) => !full && (left === null || left >= party));
	return open[Math.floor(random() ** 2 * open.length)]?.id ?? null;
}
