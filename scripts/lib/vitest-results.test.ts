import { expect, it } from 'vitest';
import { closingLine, tally } from './vitest-results.ts';
import type { VitestReport } from './vitest-results.ts';

function report(...files: VitestReport['testResults']): VitestReport {
	return { numPassedTests: 0, numFailedTests: 0, testResults: files };
}
const passed = { status: 'passed', fullName: 'adds' };
const failed = { status: 'failed', fullName: 'subtracts' };

it('sums what passed and failed', () => {
	const one = tally('server', report({ name: 'a', status: 'failed', assertionResults: [passed, failed] }), 1);
	expect(one).toEqual({ passed: 1, failed: 1, failures: ['a > subtracts'], skipped: [] });
	expect(closingLine([one, { passed: 2, failed: 0, failures: [], skipped: [] }])).toEqual({
		line: '3 passed, 1 failed',
		ok: false
	});
});

it('counts a file that crashed before its first test as failed', () => {
	const one = tally(
		'server',
		report({ name: 'a', status: 'failed', message: 'no such file', assertionResults: [] }),
		1
	);
	expect(one.failures).toEqual(['a: no such file']);
});

it('counts a run that ended badly, or without a report, as failed', () => {
	expect(tally('web', report({ name: 'a', status: 'passed', assertionResults: [passed] }), 1).failed).toBe(1);
	expect(tally('web', undefined, 137).failures).toEqual(['web: ended without a report (exit code 137)']);
});

it('is not well when nothing ran', () => {
	expect(closingLine([tally('web', report(), 0)])).toEqual({ line: '0 passed, 0 failed', ok: false });
});

it('names what was skipped', () => {
	const one = tally(
		'a',
		report({ name: 'f', status: 'passed', assertionResults: [{ ...passed, status: 'skipped' }] }),
		0
	);
	expect(one.skipped).toEqual(['f > adds']);
});
