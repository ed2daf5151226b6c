// @ts-check
// The summary that the scripts print: people first, designed refusals apart from faults, every limit with its verdict.

/** Statistics that the summary reads; each script hands it to k6 in its options. */
export const trendStats = ['avg', 'min', 'med', 'max', 'p(95)', 'p(99)', 'count'];

/**
 * @typedef {{ values: Record<string, number>, thresholds?: Record<string, { ok: boolean }> }} Metric
 * @typedef {{ metrics: Record<string, Metric>, state?: { testRunDurationMs?: number } }} SummaryData
 */

/**
 * Builds what handleSummary returns: text on the screen and, where SUMMARY names a file, everything as JSON.
 * @param {string} title
 * @param {SummaryData} data
 * @param {string[]} [rows] what stands first; without it, what became of people who book
 * @returns {Record<string, string>}
 */
export function summarise(title, data, rows) {
	const lines = ['', title, ''].concat(rows || bookingRows(data));
	lines.push(line('iterations that were dropped', count(data, 'dropped_iterations')));
	const duration = data.state && data.state.testRunDurationMs;
	if (duration) lines.push(line('duration', (duration / 1000).toFixed(1) + ' s'));
	lines.push('', 'limits');
	const verdicts = readVerdicts(data);
	verdicts.forEach((verdict) => {
		lines.push((verdict.ok ? '  kept    ' : '  BROKEN  ') + verdict.name + ' ' + verdict.limit);
	});
	const allKept = verdicts.every((verdict) => verdict.ok);
	lines.push('', allKept ? 'PASSED' : 'FAILED', '');
	/** @type {Record<string, string>} */
	const outputs = { stdout: lines.join('\n') };
	if (typeof __ENV !== 'undefined' && __ENV.SUMMARY) outputs[__ENV.SUMMARY] = JSON.stringify(data, null, 2);
	return outputs;
}

/** @param {SummaryData} data */
function bookingRows(data) {
	/** @type {string[]} */
	const lines = [];
	lines.push(line('people booked', count(data, 'people_booked')));
	lines.push(line('people who gave up', count(data, 'people_gave_up')));
	lines.push(line('designed refusals (503, 429)', count(data, 'designed_refusals')));
	lines.push(line('faults', count(data, 'faults')));
	lines.push(line('booking time p50', milliseconds(data, 'booking_time', 'med')));
	lines.push(line('booking time p95', milliseconds(data, 'booking_time', 'p(95)')));
	lines.push(line('booking time p99', milliseconds(data, 'booking_time', 'p(99)')));
	if (data.metrics.wait_time)
		lines.push(line('wait for the pass p95', milliseconds(data, 'wait_time', 'p(95)')));
	if (data.metrics.status_polls) lines.push(line('status polls', count(data, 'status_polls')));
	return lines;
}

/** @param {SummaryData} data */
function readVerdicts(data) {
	/** @type {{ name: string, limit: string, ok: boolean }[]} */
	const verdicts = [];
	Object.keys(data.metrics)
		.sort()
		.forEach((name) => {
			const metric = data.metrics[name];
			const thresholds = (metric && metric.thresholds) || {};
			Object.keys(thresholds).forEach((limit) => {
				const verdict = thresholds[limit];
				verdicts.push({ name: name, limit: limit, ok: Boolean(verdict && verdict.ok) });
			});
		});
	return verdicts;
}

/**
 * @param {SummaryData} data
 * @param {string} name
 */
export function count(data, name) {
	const metric = data.metrics[name];
	return metric && metric.values.count !== undefined ? String(metric.values.count) : '0';
}

/**
 * @param {SummaryData} data
 * @param {string} name
 * @param {string} stat
 */
export function milliseconds(data, name, stat) {
	const metric = data.metrics[name];
	const value = metric && metric.values[stat];
	return value === undefined ? '–' : value.toFixed(0) + ' ms';
}

/**
 * @param {string} label
 * @param {string} value
 */
export function line(label, value) {
	const dots = '.'.repeat(Math.max(2, 34 - label.length));
	return '  ' + label + ' ' + dots + ' ' + value;
}
