import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Patch } from '../../../contract/index.ts';
import { createTestValkey, hasTestValkey, type TestValkey } from '../../../test/kit/test-valkey.ts';
import { createClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { openValkey } from '../valkey/valkey.ts';
import { createHub, type Hub } from './hub.ts';
import { createMirroredTopic, type MirroredTopic } from './mirror.ts';
import { createRelay } from './relay.ts';

interface Instance {
	hub: Hub;
	topic: MirroredTopic;
	term: number | null;
	close(): Promise<void>;
}

describe.skipIf(!hasTestValkey())('a topic on several instances', () => {
	let server: TestValkey;
	let scopes = 0;
	let scope = '';
	const opened: Instance[] = [];
	beforeAll(async () => {
		server = await createTestValkey();
	});
	afterEach(async () => {
		await server.setReachable(true);
		for (const instance of opened.splice(0)) await instance.close();
		scope = `test ${scopes++}`;
	});
	afterAll(() => server.close());

	const open = (term: number | null): Instance => {
		const log = createLog('silent');
		const clock = createClock();
		const [valkey, reader] = [openValkey({ url: server.url, log }), openValkey({ url: server.url, log })];
		const hub = createHub(clock);
		const relay = createRelay({ valkey, reader, scope, clock, log });
		const instance: Instance = {
			hub,
			term,
			topic: createMirroredTopic(
				{ hub, relay, clock },
				{
					name: 'crowd',
					term: () => instance.term,
					whenSilent: (_key, heard, own) => ({ stale: heard ?? own })
				}
			),
			async close() {
				instance.topic.stop();
				hub.stop();
				await relay.stop();
				await Promise.all([valkey.close(), reader.close()]);
			}
		};
		relay.start();
		instance.topic.start();
		opened.push(instance);
		return instance;
	};
	const stateOf = ({ hub }: Instance) => hub.snapshot('crowd').state;
	const soon = { timeout: 20_000, interval: 50 };

	it('shows the same on all, also on one that comes later; each keeps its own sequence', async () => {
		const [leader, follower] = [open(1), open(null)];
		const patches: Patch[] = [];
		follower.hub.onPatch((patch) => patches.push(patch));
		leader.topic.set('zone:a', { present: 1 });
		leader.topic.set('zone:b', { present: 2 });
		follower.topic.set('zone:a', { present: null });
		await expect
			.poll(() => stateOf(follower), soon)
			.toEqual({
				'zone:a': { present: 1 },
				'zone:b': { present: 2 }
			});
		leader.topic.set('zone:a', { present: 7 });
		leader.topic.remove('zone:b');
		await expect.poll(() => stateOf(follower), soon).toEqual({ 'zone:a': { present: 7 } });
		expect(follower.topic.source()).toBe('heard');
		const late = open(null);
		await expect.poll(() => stateOf(late), soon).toEqual({ 'zone:a': { present: 7 } });
		expect(patches.map(({ seq }) => seq)).toEqual(patches.map((_, index) => index + 1));
		expect(new Set(patches.map(({ stream }) => stream))).toEqual(
			new Set([follower.hub.snapshot('crowd').stream])
		);
		expect(stateOf(leader)).toEqual(stateOf(follower));
	});

	it('follows the next leader, and never again the one before, whatever that one still says', async () => {
		const [first, second, third] = [open(1), open(null), open(null)];
		first.topic.set('zone:a', 'first');
		second.topic.set('zone:a', 'second');
		await expect.poll(() => stateOf(third), soon).toEqual({ 'zone:a': 'first' });
		second.term = 2;
		await expect.poll(() => stateOf(third), soon).toEqual({ 'zone:a': 'second' });
		// Woken after a long sleep: it believes that it leads.
		first.topic.set('zone:a', 'a ghost');
		first.topic.set('zone:z', 'a ghost');
		second.topic.set('zone:b', 'second');
		await expect.poll(() => stateOf(third), soon).toEqual({ 'zone:a': 'second', 'zone:b': 'second' });
		first.term = null;
		await expect.poll(() => stateOf(first), soon).toEqual({ 'zone:a': 'second', 'zone:b': 'second' });
	});

	it('is stale while nobody is heard, and whole again when Valkey comes back empty', async () => {
		const [leader, follower] = [open(1), open(null)];
		leader.topic.set('zone:a', 5);
		await expect.poll(() => stateOf(follower), soon).toEqual({ 'zone:a': 5 });
		await server.setReachable(false);
		await expect.poll(() => stateOf(follower), soon).toEqual({ 'zone:a': { stale: 5 } });
		expect(follower.topic.source()).toBe('silent');
		// What the leader's own screens see does not depend on Valkey.
		leader.topic.set('zone:a', 6);
		leader.topic.set('zone:b', 1);
		await expect.poll(() => stateOf(leader), soon).toEqual({ 'zone:a': 6, 'zone:b': 1 });
		await server.admin.flushall();
		await server.setReachable(true);
		await expect.poll(() => stateOf(follower), soon).toEqual({ 'zone:a': 6, 'zone:b': 1 });
		expect(follower.topic.source()).toBe('heard');
	});
});
