/** The part of Vitest's JSON report that is summed. */
export type VitestReport = {
	numPassedTests: number;
	numFailedTests: number;
	testResults: {
		name: string;
		status: string;
		message?: string;
		assertionResults: { status: string; fullName: string }[];
	}[];
};

export type Tally = { passed: number; failed: number; failures: string[]; skipped: string[] };

/**
 * What one run of Vitest came to. A file that crashed before its first test, a run that ended badly without a failed
 * test (a fault nobody caught) and a run without a report count as one failed test each.
 */
export function tally(name: string, report: VitestReport | undefined, exitCode: number): Tally {
	const result: Tally = { passed: 0, failed: 0, failures: [], skipped: [] };
	const fail = (what: string): void => {
		result.failed++;
		result.failures.push(what);
	};
	if (!report) {
		fail(`${name}: ended without a report (exit code ${exitCode})`);
		return result;
	}
	for (const file of report.testResults) {
		for (const test of file.assertionResults) {
			const title = `${file.name} > ${test.fullName}`;
			if (test.status === 'passed') result.passed++;
			else if (test.status === 'failed') fail(title);
			else result.skipped.push(title);
		}
		const hasFailed = file.assertionResults.some((test) => test.status === 'failed');
		if (file.status === 'failed' && !hasFailed)
			fail(`${file.name}: ${file.message?.split('\n')[0] || 'crashed'}`);
	}
	if (exitCode !== 0 && result.failed === 0)
		fail(`${name}: ended with exit code ${exitCode} though no test failed`);
	return result;
}

/** The line that closes `npm test`. */
export function closingLine(tallies: readonly Tally[]): { line: string; ok: boolean } {
	const passed = tallies.reduce((sum, one) => sum + one.passed, 0);
	const failed = tallies.reduce((sum, one) => sum + one.failed, 0);
	return { line: `${passed} passed, ${failed} failed`, ok: failed === 0 && passed > 0 };
}
