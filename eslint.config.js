import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const typedFiles = ['server/**/*.ts', 'simulators/**/*.ts', 'scripts/**/*.ts', 'deploy/**/*.ts'];

export default tseslint.config(
	{
		ignores: [
			'**/node_modules/**',
			'.data/**',
			'.cache/**',
			'test-results/**',
			'web/build/**',
			'web/.svelte-kit/**',
			'web/src/lib/paraglide/**'
		]
	},
	js.configs.recommended,
	...tseslint.configs.recommended,
	...svelte.configs.recommended,
	{
		rules: {
			eqeqeq: ['error', 'always', { null: 'ignore' }],
			'prefer-const': 'error',
			'no-var': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }]
		}
	},
	{
		files: typedFiles,
		languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': 'error'
		}
	},
	{
		files: ['server/src/**/*.ts', 'server/contract/**/*.ts'],
		ignores: ['**/*.test.ts'],
		rules: {
			'no-console': 'error',
			'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }]
		}
	},
	{
		files: ['**/*.test.ts', '**/test/**/*.ts', 'web/e2e/**/*.ts'],
		rules: { '@typescript-eslint/no-floating-promises': 'off' }
	},
	{
		files: ['scripts/**', 'server/**', 'simulators/**', 'web/*.{js,ts}', 'web/e2e/**', '*.js'],
		languageOptions: { globals: globals.node }
	},
	{
		files: ['web/src/**'],
		languageOptions: { globals: globals.browser },
		rules: {
			'svelte/no-navigation-without-resolve': 'off'
		}
	},
	{
		// Runs as it stands in browsers, before anything else.
		files: ['web/static/**/*.js'],
		languageOptions: { sourceType: 'script', globals: globals.browser },
		rules: { 'no-var': 'off', 'prefer-const': 'off' }
	},
	{
		// Runs as it stands in browsers and in Node.
		files: ['web/static/**/*.mjs'],
		languageOptions: { globals: globals.browser }
	},
	{
		files: ['web/**/*.svelte', 'web/**/*.svelte.ts'],
		languageOptions: { parserOptions: { parser: tseslint.parser } },
		// Properties are taken apart together, though only one of them may be bound.
		rules: { 'prefer-const': ['error', { destructuring: 'all' }] }
	},
	{
		files: ['k6/**/*.js'],
		languageOptions: {
			globals: { __ENV: 'readonly', __VU: 'readonly', __ITER: 'readonly', open: 'readonly' }
		}
	}
);
