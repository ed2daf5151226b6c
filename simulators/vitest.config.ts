import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
		// Simulators are tried against the real server, on the same kind of database as the server's own tests.
		globalSetup: ['../server/test/kit/global-setup.ts'],
		testTimeout: 60_000,
		hookTimeout: 120_000,
		maxWorkers: 2
	}
});
