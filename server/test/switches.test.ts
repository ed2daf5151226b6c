import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
	flagNames,
	protectedFeatures,
	type Flag,
	type LevelsState,
	type SlotsAnswer
} from '../contract/index.ts';
import { createTestApp, type TestApp } from './kit/index.ts';

const patience = { timeout: 60_000, interval: 100 };

/** Says of every flag what it is told to say, as Unleash would. */
async function startFlagServer() {
	let off: readonly string[] = [];
	const server = createServer((_request, response) => {
		const names = [...flagNames, ...protectedFeatures];
		const features = names.map((name) => ({ name, enabled: !off.includes(name), strategies: [] }));
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ version: 2, features }));
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		switchOff: (...flags: string[]) => void (off = flags),
		close() {
			server.closeAllConnections();
			server.close();
		}
	};
}

describe('every switch, against every public call', () => {
	let test: TestApp;
	let unleash: Awaited<ReturnType<typeof startFlagServer>>;
	let duty = '';
	let second = '';
	let people = 0;
	let slots: SlotsAnswer['slots'] = [];
	let fullSlot = 0;
	let place = '';

	beforeAll(async () => {
		unleash = await startFlagServer();
		const env = { LAB: '1', LAB_CHECK_MS: '0', UNLEASH_URL: unleash.url, UNLEASH_TOKEN: 'a token' };
		test = await createTestApp({ env });
		duty = await test.signIn('duty');
		second = await test.signIn('second');
		await vi.waitFor(async () => {
			const answer = (await get('/slots')).body as SlotsAnswer;
			({ slots } = answer);
			[place = ''] = Object.keys(answer.places ?? {});
			expect(slots.length).toBeGreaterThan(2);
		}, patience);
		fullSlot = slots[0]!.id;
		for (let party = 0; party < 5; party++) {
			const person = await arrive(20);
			expect((await book(person, fullSlot)).status).toBe(200);
		}
	});
	afterAll(async () => {
		await test?.close();
		unleash?.close();
	});

	type Person = { user: string; token: string; ticket: string };
	const get = (path: string, cookie?: string) => test.call('GET', path, cookie ? { cookie } : {});
	const post = (path: string, body: object, headers: Record<string, string> = {}) =>
		test.call('POST', path, { body, headers });
	const arrive = async (party = 1): Promise<Person> => {
		const user = `person-${(people += 1)}`;
		for (;;) {
			const { body } = await post('/queue/join', { user, party });
			if (body.token) return { user, token: body.token, ticket: body.ticket };
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	};
	const book = ({ user, token }: Person, slot: number) =>
		post('/book', { user, slot, gated: 1 }, { 'x-token': token });
	const languages = async () =>
		/^marsad_public_languages_total\{language="ur"\} (\d+)/m.exec(
			(await get('/metrics')).body as string
		)?.[1] ?? '0';

	/** What every call answers now; each with what a switch may change in it. */
	const probe = async (inside: Person, booked: Person & { permit: string }, leaver: Person) => {
		const code = ({ status, body }: { status: number; body: { code?: string } }) =>
			`${status}${body?.code ? ` ${body.code}` : ''}`;
		const retry = (answer: Awaited<ReturnType<typeof get>>) => {
			if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
			return code(answer);
		};
		const answers: Record<string, string> = {};
		const progress = await get('/queue/progress');
		answers['progress'] = `${progress.status} ×${progress.body.pollFactor}`;
		const counted = await languages();
		answers['join'] = retry(await post('/queue/join', { user: `new-${(people += 1)}`, language: 'ur' }));
		answers['counted'] = (await languages()) === counted ? 'no' : 'yes';
		answers['join again'] = retry(await post('/queue/join', { user: inside.user }));
		answers['status'] = retry(
			await get(`/queue/status?user=${inside.user}&ticket=${encodeURIComponent(inside.ticket)}`)
		);
		answers['claim'] = retry(await post('/queue/claim', { user: inside.user, ticket: inside.ticket }));
		answers['prepare'] = retry(await post('/queue/prepare', { user: inside.user, language: 'ar' }));
		answers['leave'] = retry(await post('/queue/leave', { user: leaver.user, ticket: leaver.ticket }));
		const list = await get('/slots');
		answers['slots'] =
			`${list.status} ${(list.body as SlotsAnswer).slots[1]!.left === null ? 'no counts' : 'counts'}`;
		answers['picture'] = retry(await get(`/places/${place}/picture`));
		const full = await book(inside, fullSlot);
		const offers = full.body.alternatives as unknown[] | undefined;
		answers['book full'] = `${retry(full)}${offers ? (offers.length > 0 ? ' with offers' : ' alone') : ''}`;
		answers['book'] = retry(await book(inside, slots[1]!.id));
		answers['change'] = retry(
			await post(`/permits/${booked.permit}/change`, { user: booked.user, slot: slots[2]!.id })
		);
		const mine = await get(`/permits/mine?user=${booked.user}`);
		answers['permit'] = retry(mine);
		answers['cancel'] = retry(await post(`/permits/${mine.body.id}/cancel`, { user: booked.user }));
		for (const [name, path] of [
			['history', '/api/v1/record'],
			['search', '/api/v1/booking/slots']
		] as const) {
			await get(path, duty);
			const again = await get(path, duty);
			answers[name] = `${again.status} ${again.headers.has('age') ? 'from cache' : 'fresh'}`;
		}
		return answers;
	};
	const crowd = async () => {
		const booked = await arrive();
		const { body } = await book(booked, slots[1]!.id);
		return [await arrive(), { ...booked, permit: body.permit as string }, await arrive()] as const;
	};
	const untilOff = (flags: readonly string[]) =>
		expect
			.poll(async () => [...(await get('/queue/progress')).body.off].sort(), patience)
			.toEqual([...flags].sort());
	const state = async () => (await get('/api/v1/levels', duty)).body as LevelsState;
	const press = async (level: number) => {
		const { version } = (await state()).current;
		const body = { level, reason: 'a test of the switches', expectedVersion: version };
		const answer = await test.call('POST', '/api/v1/levels/current', { cookie: duty, body });
		if (answer.status !== 202) return expect(answer.status).toBe(200);
		const confirm = answer.body.proposal.id as string;
		const agreed = await test.call('POST', '/api/v1/levels/current', { cookie: second, body: { confirm } });
		expect(agreed.status).toBe(200);
	};

	const normal = {
		progress: '200 ×1',
		join: '200',
		counted: 'yes',
		'join again': '200',
		status: '200',
		claim: '200',
		prepare: '200',
		leave: '200',
		slots: '200 counts',
		picture: '200',
		'book full': '409 slot_full with offers',
		book: '200',
		change: '200',
		permit: '200',
		cancel: '200',
		history: '200 fresh',
		search: '200 fresh'
	};
	/** What each flag changes when it is off: these answers, and no other. */
	const effects: Partial<Record<Flag, Partial<typeof normal>>> = {
		images: { picture: '503 feature_off' },
		recommendations: { 'book full': '409 slot_full alone' },
		'places-left': { slots: '200 no counts' },
		analytics: { counted: 'no' },
		'fast-polls': { progress: '200 ×2' },
		'change-slot': { change: '503 feature_off' },
		'slot-search': { search: '200 from cache' },
		history: { history: '200 from cache' },
		'other-messages': {}
	};

	it('changes nothing while all is on', async () => {
		expect(await probe(...(await crowd()))).toEqual(normal);
	});

	it.each(Object.keys(effects) as Flag[])(
		'%s',
		async (flag) => {
			const guests = await crowd();
			unleash.switchOff(flag);
			await untilOff([flag]);
			expect(await probe(...guests)).toEqual({ ...normal, ...effects[flag] });
			unleash.switchOff();
			await untilOff([]);
		},
		300_000
	);

	it('level 3: nobody new, whoever is inside finishes; level 4: nobody books, permits are shown and given back', async () => {
		const [three, four] = [await crowd(), await crowd()];
		const low = Object.assign({}, ...Object.values(effects)) as Partial<typeof normal>;
		const noNew = { join: '503 joins_closed', prepare: '503 joins_closed' };
		await press(3);
		expect(await probe(...three)).toEqual({ ...normal, ...low, ...noNew });
		await press(4);
		expect(await probe(...four)).toEqual({
			...{ ...normal, ...low, ...noNew },
			...{ 'book full': '503 booking_closed', book: '503 booking_closed' }
		});
		await press(0);
		expect((await book(four[0], slots[1]!.id)).status).toBe(200);
	}, 300_000);

	it('a hostile flag server switches off no more than one hand may, and nothing that no level may touch', async () => {
		const guests = await crowd();
		unleash.switchOff(...flagNames, ...protectedFeatures);
		await untilOff(Object.keys(effects));
		const answers = await probe(...guests);
		const kept = ['join', 'prepare', 'book', 'permit', 'cancel', 'claim', 'status', 'leave'] as const;
		for (const name of kept) expect([name, answers[name]]).toEqual([name, normal[name]]);
		const { drift } = (await state()).unleash;
		await expect.poll(async () => (await state()).unleash.drift!.length, patience).toBe(flagNames.length);
		expect(drift!.every(({ flag, acts }) => !acts || flag in effects)).toBe(true);
		unleash.switchOff();
		await untilOff([]);
	}, 300_000);
});
