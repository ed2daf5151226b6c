import { afterAll, beforeAll, describe } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createTestValkey, hasTestValkey, type TestValkey } from '../../../test/kit/test-valkey.ts';
import { describeQueue } from './queue-suite.ts';
import { createValkeyStand } from './valkey-stand.fixture.ts';

describe.skipIf(!hasTestValkey())('a room in Valkey', () => {
	let test: TestDatabase;
	let server: TestValkey;
	let stands = 0;
	beforeAll(async () => {
		[test, server] = await Promise.all([createTestDatabase(), createTestValkey()]);
	});
	afterAll(async () => {
		await server.close();
		await test.close();
	});

	describeQueue('the queue in Valkey', async () => createValkeyStand(test, server, `room ${stands++}`));
});
