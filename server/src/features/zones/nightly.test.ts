import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Zone } from '../../../contract/index.ts';
import {
	createTestApp,
	createTestDatabase,
	type TestApp,
	type TestDatabase
} from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';

let folder: string;
let database: TestDatabase;
let app: TestApp | null = null;
const timeAtSite = () =>
	new Intl.DateTimeFormat('en-GB', {
		...{ timeZone: 'Asia/Riyadh', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
	}).format(Date.now());

const start = async () => {
	app = await createTestApp({ env: { SITE_FILE: path.join(folder, 'site.geojson') }, database });
	return app;
};
const stop = async () => {
	await app?.close();
	app = null;
};

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'marsad-nightly-'));
	const file = smallSite();
	for (const { properties } of file.features)
		if (properties.kind === 'zone' && properties.id === 'hall')
			properties.anchor = { at: timeAtSite(), present: 12 };
	await writeFile(path.join(folder, 'site.geojson'), JSON.stringify(file));
	database = await createTestDatabase();
});
afterAll(async () => {
	await stop();
	await database.close();
	await rm(folder, { recursive: true, force: true });
});

const anchors = () =>
	database.database.db.selectFrom('zone_anchors').selectAll().where('zone', '=', 'hall').execute();

const sees = async (server: TestApp) => {
	const cookie = await server.signIn('crowd');
	await vi.waitFor(
		async () => {
			const { body } = await server.call('GET', '/api/v1/zones/hall', { cookie });
			expect((body as Zone).anchor).toMatchObject({ present: 12, by: 'nightly' });
		},
		{ timeout: 30_000, interval: 200 }
	);
};

it('is set once a night, on the record, and not again by a server that starts in the same minutes', async () => {
	const first = await start();
	await vi.waitFor(async () => expect(await anchors()).toHaveLength(1), { timeout: 30_000, interval: 200 });
	expect(await anchors()).toMatchObject([{ present: 12, actor: 'site', correction: null }]);
	await sees(first);
	await stop();
	const second = await start();
	await sees(second);
	// It has looked several times meanwhile.
	await new Promise((resolve) => setTimeout(resolve, 2_500));
	expect(await anchors()).toHaveLength(1);
});
