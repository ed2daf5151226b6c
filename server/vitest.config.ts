import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['src/**/*.test.ts', 'contract/**/*.test.ts', 'test/**/*.test.ts'],
		globalSetup: ['test/kit/global-setup.ts'],
		// Real servers on a shared machine: generous limits, no wall-clock assertions.
		testTimeout: 60_000,
		hookTimeout: 120_000,
		maxWorkers: 2
	}
});
