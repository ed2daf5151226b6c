import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alarm, Dispatch, Incident, Team, TeamProposal } from '../../../contract/index.ts';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import { openScreen, type Screen } from './dispatch.fixture.ts';

/** Nobody may wait longer for a step to be seen; the machine of the test is slow, the figure is printed. */
const seenWithinMs = 10_000;

describe('teams, orders and incidents', () => {
	let test: TestApp;
	let crowd = '';
	let duty = '';
	let lead = '';
	let admin = '';
	let steward = '';
	let viewer = '';
	const screens: Screen[] = [];
	beforeAll(async () => {
		test = await createTestApp();
		crowd = await test.signIn('crowd');
		duty = await test.signIn('duty');
		lead = await test.signIn('lead');
		admin = await test.signIn('admin');
		steward = await test.signIn('steward');
		viewer = await test.signIn('viewer');
		for (const cookie of [crowd, duty, lead]) screens.push(await openScreen(test.url, cookie));
	});
	afterAll(async () => {
		for (const screen of screens) screen.close();
		await test?.close();
	});

	const post = (cookie: string, path: string, body: unknown, method = 'POST') =>
		test.call(method, `/api/v1${path}`, { cookie, body });
	const teams = async (): Promise<Team[]> =>
		(await test.call('GET', '/api/v1/teams', { cookie: crowd })).body.teams;
	const team = async (number: number) => (await teams()).find(({ names }) => names.en === `Team ${number}`)!;
	const send = async (number: number, more: object = {}, cookie = crowd) =>
		post(cookie, '/dispatches', {
			...{ team: (await team(number)).id, place: { zone: 'core' }, task: 'Keep the way free' },
			...more
		});
	const move = (cookie: string, id: string, status: string, more: object = {}) =>
		post(cookie, `/dispatches/${id}/status`, { status, sentAt: Date.now(), ...more });
	const finish = async (id: string) =>
		expect((await move(crowd, id, 'cancelled', { reason: 'end of the test' })).status).toBe(200);
	/** Waits until all three screens show it; returns how long it took. */
	const seen = async (key: string, check: (value: never) => boolean): Promise<number> => {
		const from = performance.now();
		await expect
			.poll(() => screens.every(({ state }) => state.has(key) && check(state.get(key) as never)), {
				timeout: seenWithinMs,
				interval: 10
			})
			.toBe(true);
		return performance.now() - from;
	};

	it('goes from an alarm on the desk to a team on the spot, each step seen on two desks and a phone', async () => {
		const sent = await send(1, { sentAt: Date.now() });
		expect([sent.status, sent.body.code]).toEqual([201, undefined]);
		const { id } = sent.body as Dispatch;
		const took = [await seen(`dispatch:${id}`, (order: Dispatch) => order.state === 'sent')];
		expect(sent.body).toMatchObject({ channel: 'TG 1', phone: '555-0101', unanswered: false });
		const own = await team(1);
		expect(own).toMatchObject({ state: 'busy', jobs: [id] });
		for (const status of ['acknowledged', 'on-the-way', 'on-the-spot', 'done']) {
			expect((await move(lead, id, status)).status).toBe(200);
			took.push(await seen(`dispatch:${id}`, (order: Dispatch) => order.state === status));
		}
		const order = screens[0]!.state.get(`dispatch:${id}`) as Dispatch;
		expect(order.steps.map(({ state, byTeam }) => [state, byTeam])).toEqual([
			['sent', false],
			['acknowledged', true],
			['on-the-way', true],
			['on-the-spot', true],
			['done', true]
		]);
		expect(order.steps.map(({ at }) => at)).toEqual(order.steps.map(({ at }) => at).toSorted());
		await seen(`team:${own.id}`, ({ state, place }: Team) => state === 'free' && place.zone === 'core');
		expect(Math.max(...took)).toBeLessThan(seenWithinMs);
	});

	it('warns about a busy team with what it does, then forces with a reason; each job keeps its own state', async () => {
		const first = (await send(2)).body as Dispatch;
		await move(crowd, first.id, 'on-the-way');
		const warned = await send(2, { place: { gate: 'gate-1', spot: 'left lane' } });
		expect([warned.status, warned.body.code]).toEqual([409, 'team_busy']);
		expect(warned.body.warning).toMatchObject({
			why: 'busy',
			jobs: [{ id: first.id, state: 'on-the-way', task: 'Keep the way free' }]
		});
		expect((await send(2, { force: { reason: '' } })).status).toBe(400);
		const forced = await send(2, { force: { reason: 'nobody else is near' }, place: { gate: 'gate-1' } });
		const second = forced.body as Dispatch;
		expect([forced.status, second.forced]).toEqual([201, 'nobody else is near']);
		expect((await team(2)).jobs).toEqual([first.id, second.id]);
		await move(crowd, second.id, 'acknowledged');
		const board = (await test.call('GET', '/api/v1/dispatches', { cookie: duty })).body
			.dispatches as Dispatch[];
		const states = new Map(board.map(({ id, state }) => [id, state]));
		expect([states.get(first.id), states.get(second.id)]).toEqual(['on-the-way', 'acknowledged']);
		await finish(first.id);
		expect((await team(2)).jobs).toEqual([second.id]);
		await finish(second.id);
	});

	it('lets one of two desks win that send the same team at the same moment, and warns the other', async () => {
		const { id } = await team(3);
		const body = { team: id, place: { zone: 'core' }, task: 'Both at once' };
		const answers = await Promise.all(
			[crowd, duty, crowd, duty].map((cookie) => post(cookie, '/dispatches', body))
		);
		expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
		const won = answers.find(({ status }) => status === 201)!.body as Dispatch;
		for (const { body: lost, status } of answers)
			if (status === 409) expect(lost.warning.jobs).toMatchObject([{ id: won.id }]);
		await finish(won.id);
	});

	it('reserves a team for a job of the future without making it busy now', async () => {
		const startsAt = Date.now() + 2 * 3_600_000;
		const later = (await send(3, { startsAt })).body as Dispatch;
		expect([later.state, later.startsAt]).toEqual(['reserved', startsAt]);
		expect(await team(3)).toMatchObject({ state: 'free', jobs: [], reservedFrom: startsAt });
		const now = await send(3);
		expect(now.status).toBe(201);
		const near = await send(3, { startsAt: startsAt + 60_000 });
		expect([near.status, near.body.warning.why]).toEqual([409, 'reserved']);
		expect((await send(3, { startsAt: Date.now() - 1_000 })).status).toBe(400);
		await finish(now.body.id);
		await finish(later.id);
	});

	it('refuses what was pressed more than 30 s ago, and never sends it later', async () => {
		const before = (await team(3)).jobs.length;
		for (const offMs of [-31_000, 300_000]) {
			const late = await send(3, { sentAt: Date.now() + offMs });
			expect([late.status, late.body.code]).toEqual([409, 'too_old']);
		}
		expect((await team(3)).jobs.length).toBe(before);
		const { body } = await send(3);
		expect((await move(crowd, body.id, 'acknowledged', { sentAt: Date.now() - 31_000 })).body.code).toBe(
			'too_old'
		);
		await finish(body.id);
	});

	it('lets only its own leader and the desk move an order', async () => {
		const { body: other } = await send(4);
		for (const [path, body] of [
			['status', { status: 'acknowledged' }],
			['support', { needed: true }],
			['well', {}]
		] as const) {
			const refused = await post(lead, `/dispatches/${other.id}/${path}`, body);
			expect([refused.status, refused.body.code]).toEqual([403, 'not_your_team']);
		}
		expect((await post(lead, `/teams/${other.team}/place`, { zone: 'core' })).body.code).toBe(
			'not_your_team'
		);
		expect((await post(lead, `/teams/${other.team}/duty`, { offDuty: true })).body.code).toBe(
			'not_your_team'
		);
		for (const cookie of [viewer, steward])
			expect((await move(cookie, other.id, 'acknowledged')).body.code).toBe('forbidden');
		const own = (await send(1)).body as Dispatch;
		expect((await move(lead, own.id, 'cancelled', { reason: 'not for a leader' })).status).toBe(403);
		expect((await post(lead, '/dispatches', {})).status).toBe(403);
		const board = (await test.call('GET', '/api/v1/dispatches', { cookie: lead })).body
			.dispatches as Dispatch[];
		expect(board.find(({ id }) => id === other.id)?.state).toBe('sent');
		await finish(own.id);
		await finish(other.id);
	});

	it('goes back to the desk at once when a team cannot, and is followed by another', async () => {
		const { body: order } = await send(1);
		expect((await move(lead, order.id, 'cannot')).body.code).toBe('reason_needed');
		expect((await move(lead, order.id, 'cannot', { reason: 'the way is blocked' })).status).toBe(200);
		await seen(`dispatch:${order.id}`, ({ state, reason }: Dispatch) => {
			return state === 'cannot' && reason === 'the way is blocked';
		});
		expect((await team(1)).state).toBe('free');
		expect((await move(lead, order.id, 'on-the-way')).body.code).toBe('wrong_step');
		const next = await send(4, { replaces: order.id });
		expect(next.status).toBe(201);
		await seen(`dispatch:${order.id}`, ({ replacedBy }: Dispatch) => replacedBy === next.body.id);
		expect((await send(3, { replaces: order.id })).body.code).toBe('wrong_step');
		await finish(next.body.id);
	});

	it('gives an alarm its team, and ends the alarm about an order that came back', async () => {
		const { body: order } = await send(1);
		await move(lead, order.id, 'cannot', { reason: 'the lift is out' });
		const standing = async () =>
			((await test.call('GET', '/api/v1/alarms', { cookie: crowd })).body.alarms as Alarm[]).find(
				({ definition, subject }) => definition === 'dispatch-returned' && subject.id === order.id
			);
		await expect.poll(async () => (await standing())?.state, { timeout: 20_000 }).toBe('unacknowledged');
		const { id } = (await standing())!;
		expect((await send(4, { source: { kind: 'alarm', id: '999999' } })).status).toBe(404);
		const next = await send(4, { source: { kind: 'alarm', id }, replaces: order.id });
		expect([next.status, next.body.source]).toEqual([201, { kind: 'alarm', id }]);
		await expect
			.poll(async () => (await standing())?.links, { timeout: 20_000 })
			.toMatchObject({ dispatch: next.body.id, team: next.body.team });
		await finish(next.body.id);
	}, 60_000);

	it('takes a step once, whoever presses it, and forward only', async () => {
		const { body: order } = await send(1);
		const answers = await Promise.all(
			[lead, crowd, duty].map((cookie) => move(cookie, order.id, 'on-the-way'))
		);
		expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
		expect((await move(lead, order.id, 'acknowledged')).body).toMatchObject({
			...{ code: 'wrong_step', state: 'on-the-way' }
		});
		const key = crypto.randomUUID();
		const twice = [1, 2].map(() =>
			test.call('POST', `/api/v1/dispatches/${order.id}/status`, {
				...{ cookie: lead, key, body: { status: 'on-the-spot' } }
			})
		);
		for (const { status } of await Promise.all(twice)) expect([200, 409]).toContain(status);
		const support = await post(lead, `/dispatches/${order.id}/support`, { needed: true, note: 'two more' });
		expect(support.body.support).toMatchObject({ note: 'two more' });
		const helper = await send(3, { supports: order.id });
		expect(helper.status).toBe(201);
		await seen(`dispatch:${order.id}`, (value: Dispatch) => value.support === null);
		expect((await post(lead, `/dispatches/${order.id}/well`, {})).body.welfare.missed).toBe(0);
		await finish(helper.body.id);
		await finish(order.id);
	});

	it('proposes free teams by the paths of the site, and says whose place is unknown', async () => {
		const { body } = await test.call('GET', '/api/v1/teams/nearest?gate=gate-1', { cookie: crowd });
		const proposals = body.proposals as TeamProposal[];
		expect(body.place).toMatchObject({ zone: 'plaza-1', gate: 'gate-1' });
		const known = proposals.filter(({ why, state }) => why === 'ok' && state === 'free');
		expect(known.length).toBeGreaterThan(2);
		expect(known.map(({ minutes }) => minutes!.to)).toEqual(
			known.map(({ minutes }) => minutes!.to).toSorted()
		);
		for (const { minutes, via } of known) {
			expect(minutes!.to).toBeGreaterThanOrEqual(minutes!.from);
			expect(via.at(-1)).toBe('plaza-1');
		}
		const unknown = proposals.filter(({ why }) => why === 'place-unknown');
		expect(unknown).toMatchObject([
			{ metres: null, minutes: null, place: { zone: null, quality: 'unknown' } }
		]);
		const nowhere = await test.call('GET', '/api/v1/teams/nearest?zone=nowhere', { cookie: crowd });
		expect([nowhere.status, nowhere.body.code]).toEqual([422, 'no_such_place']);
	});

	it('keeps incidents without a word about a person: opened by a steward, told, taken, closed', async () => {
		const note = 'Child at the information desk';
		const refused = await post(steward, '/incidents', {
			...{ kind: 'lost-person', place: { zone: 'plaza-1' }, note: 'call 055 123 4567' }
		});
		expect([refused.status, refused.body.code]).toEqual([422, 'personal_data']);
		const opened = await post(steward, '/incidents', {
			...{ kind: 'lost-person', place: { zone: 'plaza-1' }, note, told: ['red-crescent'] }
		});
		const { id } = opened.body as Incident;
		expect([opened.status, opened.body.state]).toEqual([201, 'open']);
		await seen(`incident:${id}`, (incident: Incident) => incident.told[0]?.agency === 'red-crescent');
		expect((await post(crowd, `/incidents/${id}/told`, { agency: '911' })).body.told).toHaveLength(2);

		expect((await post(crowd, `/incidents/${id}/take`, {})).body.claim).toMatchObject({ alive: true });
		const held = await post(duty, `/incidents/${id}/take`, {});
		expect([held.status, held.body.code]).toEqual([409, 'claim_held']);
		const over = await post(duty, `/incidents/${id}/take`, { reason: 'the controller left the desk' });
		expect([over.status, over.body.claim.by]).toEqual([200, 'Duty manager']);
		expect((await post(crowd, `/incidents/${id}/heartbeat`, {})).body.code).toBe('claim_held');
		expect((await post(duty, `/incidents/${id}/heartbeat`, {})).status).toBe(204);

		const { body: order } = await send(3, { source: { kind: 'incident', id } });
		await seen(`incident:${id}`, (incident: Incident) => incident.dispatches.includes(order.id));
		const closed = await post(duty, `/incidents/${id}/status`, { status: 'closed', outcome: 'found' });
		expect(closed.body).toMatchObject({ state: 'closed', closed: { outcome: 'found' }, claim: null });
		expect((await post(duty, `/incidents/${id}/told`, { agency: '911' })).body.code).toBe('incident_closed');
		expect((await send(4, { source: { kind: 'incident', id } })).body.code).toBe('incident_closed');
		const record = await test.call('GET', '/api/v1/record', { cookie: duty });
		expect(JSON.stringify(record.body)).not.toContain(note);
		await finish(order.id);
	});

	it('has teams made and changed by the administrator alone, each change against a version', async () => {
		const fields = {
			...{ names: { ar: 'فريق 9', en: 'Team 9' }, channel: 'TG 9', phone: '555-0109', members: 5 },
			...{ leaders: ['lead@example.org'], home: 'core', shift: { from: '20:00', to: '04:00' } }
		};
		expect((await post(crowd, '/teams', fields)).status).toBe(403);
		expect((await post(admin, '/teams', { ...fields, leaders: ['duty@example.org'] })).body.code).toBe(
			'no_such_leader'
		);
		const { body: known } = await test.call('GET', '/api/v1/teams/leaders', { cookie: admin });
		expect(known.leaders).toMatchObject([{ name: 'Team leader', email: 'lead@example.org' }]);
		const made = await post(admin, '/teams', fields);
		expect([made.status, made.body.leaders]).toMatchObject([201, [{ name: 'Team leader' }]]);
		const path = `/teams/${made.body.id}`;
		const stale = await post(admin, path, { ...fields, expectedVersion: 0 }, 'PUT');
		expect([stale.status, stale.body.code]).toEqual([412, 'version_changed']);
		const changed = await post(admin, path, { ...fields, members: 7, expectedVersion: 1 }, 'PUT');
		expect(changed.body).toMatchObject({ members: 7, version: 2, place: { zone: null, quality: 'unknown' } });
		expect((await post(lead, `${path}/place`, { zone: 'core' })).body.place).toMatchObject({ zone: 'core' });
		expect((await post(lead, `${path}/duty`, { offDuty: true })).body).toMatchObject({ state: 'off-duty' });
		const warned = await post(crowd, '/dispatches', {
			team: made.body.id,
			place: { zone: 'core' },
			task: 'x'
		});
		expect(warned.body.warning).toMatchObject({ why: 'off-duty' });
		const gone = await post(admin, path, { ...fields, expectedVersion: 2, retired: true }, 'PUT');
		expect(gone.status).toBe(200);
		expect((await teams()).some(({ id }) => id === made.body.id)).toBe(false);
	});

	it('hands the shift over: what is open, what changed, what the last shift wrote', async () => {
		const { body: order } = await send(4);
		const signed = await post(duty, '/handover', { note: 'Gate 3 stays on watch' });
		expect(signed.status).toBe(201);
		const { status, body } = await test.call('GET', '/api/v1/handover?hours=1', { cookie: crowd });
		expect(status).toBe(200);
		expect(body.dispatches.map(({ id }: Dispatch) => id)).toEqual([order.id]);
		expect(body.lastNotes[0]).toMatchObject({ by: 'Duty manager', note: 'Gate 3 stays on watch' });
		expect(body.changes[0].action).toBe('handover.sign');
		expect(body.changes.some(({ action }: { action: string }) => action === 'dispatch.send')).toBe(true);
		expect(body.level.name.en).toBeTruthy();
		await finish(order.id);
	});

	it('gives a shift to another person than the one who left it, once, on the record', async () => {
		const { body: note } = await post(duty, '/handover', { note: 'Watch the east stairs' });
		expect(note.taken).toBeNull();
		const path = `/handover/${note.id}/take`;
		const own = await post(duty, path, undefined);
		expect([own.status, own.body.code]).toEqual([403, 'second_person_needed']);
		expect((await post(viewer, path, undefined)).status).toBe(403);
		expect((await post(crowd, '/handover/999999/take', undefined)).status).toBe(404);
		// Two at once: one has it, the other is told.
		const both = await Promise.all([post(crowd, path, undefined), post(admin, path, undefined)]);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
		const winner = both.find(({ status }) => status === 200)!.body;
		const { body } = await test.call('GET', '/api/v1/handover?hours=1', { cookie: crowd });
		expect(body.lastNotes[0]).toEqual(winner);
		expect(winner.taken.by).not.toBe(note.by);
		expect(body.changes[0]).toMatchObject({ action: 'handover.take', subject: String(note.id) });
	});
});
