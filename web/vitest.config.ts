import { defineConfig } from 'vitest/config';

// Unit tests of pure code only: without the SvelteKit plugin they start at once and end cleanly.
export default defineConfig({
	test: {
		name: 'web',
		environment: 'node',
		include: ['src/**/*.test.ts', 'dev/**/*.test.ts', 'build-tools/**/*.test.ts']
	}
});
