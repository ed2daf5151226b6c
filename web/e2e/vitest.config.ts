import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		name: 'e2e',
		root: import.meta.dirname,
		include: ['*.test.ts'],
		globalSetup: ['kit/build-web.ts', '../../server/test/kit/global-setup.ts'],
		// A real browser and a real server on two cores: generous limits, and one file at a time.
		testTimeout: 120_000,
		hookTimeout: 180_000,
		fileParallelism: false
	}
});
