// @ts-check
// Shared by the scripts: where they go, how many people, and how a person behaves when told to come back.
// Plain ES2015 throughout: k6 0.47 reads nothing newer for certain, and 2.x reads this too.
import { sleep } from 'k6';
import http from 'k6/http';

/**
 * A whole number from the environment.
 * @param {string} name
 * @param {number} fallback
 * @returns {number}
 */
export function numberFrom(name, fallback) {
	const value = Number(__ENV[name] || fallback);
	if (!(value >= 0)) throw new Error(name + ' must be a number');
	return value;
}

export const baseUrl = (__ENV.BASE_URL || 'http://127.0.0.1:3000').replace(/\/$/, '');
if (__ENV.ANY_HOST !== '1' && !/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(baseUrl)) {
	throw new Error('BASE_URL is not on this machine; ANY_HOST=1 says that this is meant');
}

export const people = numberFrom('PEOPLE', 2000);
export const slots = numberFrom('SLOTS', 50);

/** Answers that are designed: a refusal with Retry-After is no failure. Everything else counts in http_req_failed. */
export const designedStatuses = http.expectedStatuses(200, 409, 429, 503);

/** The same instant for everybody: one iteration a person, all started together. */
export const openingSecond = {
	executor: /** @type {const} */ ('per-vu-iterations'),
	vus: people,
	iterations: 1,
	maxDuration: '5m'
};

/**
 * Waits as `Retry-After` says: R seconds and up to half as much again, never less.
 * @param {import('k6/http').RefinedResponse<'text'>} response
 */
export function comeBackLater(response) {
	const seconds = Number(response.headers['Retry-After']) || 2;
	sleep(seconds + (Math.random() * seconds) / 2);
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} body
 * @param {string} name tag under which the request is counted
 * @param {Record<string, string>} [headers]
 */
export function post(path, body, name, headers) {
	const all = Object.assign({ 'Content-Type': 'application/json' }, headers || {});
	return http.post(baseUrl + path, JSON.stringify(body), {
		headers: all,
		tags: { name: name },
		responseType: 'text'
	});
}

/**
 * @param {string} path
 * @param {string} name tag under which the request is counted
 */
export function get(path, name) {
	return http.get(baseUrl + path, { tags: { name: name }, responseType: 'text' });
}

/**
 * @param {string} path
 * @param {string} name tag under which the request is counted
 * @param {Record<string, string>} headers
 */
export function getWith(path, name, headers) {
	return http.get(baseUrl + path, { headers: headers, tags: { name: name }, responseType: 'text' });
}

/**
 * The JSON body of an answer; an object without the expected members where there is none.
 * @param {import('k6/http').RefinedResponse<'text'>} response
 * @returns {Record<string, any>}
 */
export function bodyOf(response) {
	try {
		return JSON.parse(response.body || '{}');
	} catch (error) {
		return { unreadable: String(error) };
	}
}

/** Starts the laboratory again, so that every run books into empty slots. */
export function resetLaboratory() {
	if (__ENV.RESET === '0') return;
	const response = post('/reset', {}, 'reset');
	if (response.status !== 200)
		throw new Error('POST /reset answered ' + response.status + ': start the server with LAB=1');
}
