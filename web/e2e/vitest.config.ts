import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		name: 'e2e',
		root: import.meta.dirname,
		include: ['*.test.ts'],
		globalSetup: ['kit/build-web.ts', '../../server/test/kit/global-setup.ts'],
		// A real browser and a real server for each of two files at once, on two cores: generous limits.
		testTimeout: 120_000,
		hookTimeout: 180_000,
		maxWorkers: 2
	}
});
