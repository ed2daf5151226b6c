import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	root: resolve(import.meta.dirname, '..'),
	test: {
		include: ['scripts/**/*.test.ts', 'deploy/**/*.test.ts'],
		testTimeout: 300_000,
		hookTimeout: 120_000,
		fileParallelism: false
	}
});
