import type { CallPriority, FindPriority } from './platform/http/overload.ts';

const call = (className: string, number: CallPriority['number'], paced = false): CallPriority => ({
	className,
	number,
	paced
});

/**
 * What gives way first when not everybody can be served; the higher the number, the earlier. Bands: 1 to 10 gates and
 * safety, 11 to 30 the booking of an admitted person, 31 to 50 a new booking, 51 to 70 claim and join, 71 to 85 status,
 * 86 to 100 search, history, export. An admitted person's second step always comes before a new person's first.
 */
const priorities: Readonly<Record<string, CallPriority>> = {
	'POST /book': call('booking', (request) => (request.headers['x-token'] === undefined ? 40 : 20), true),
	'POST /queue/leave': call('booking', 25, true),
	'POST /permits/:id/change': call('change', 45, true),
	'POST /queue/claim': call('claim', 52, true),
	'POST /queue/join': call('join', 65, true),
	'POST /queue/prepare': call('join', 68, true),
	'GET /queue/progress': call('progress', 71),
	'GET /queue/settings': call('status', 73),
	'GET /queue/status': call('status', 75, true),
	'GET /slots': call('status', 80),
	'GET /places/:id/picture': call('picture', 97)
};

/** Never refused, at any load: they free places, show what is already somebody's, or are how we are helped. */
const never: ReadonlySet<string> = new Set([
	'GET /permits/mine',
	'POST /permits/:id/cancel',
	'POST /permits/:id/offer',
	'GET /permits/keys',
	'GET /permits/revocations',
	'POST /entries',
	'POST /sync/pull',
	'GET /healthz',
	'GET /readyz',
	'GET /metrics'
]);

const otherPublic = call('status', 82);
const history = call('history', 95);
const search = call('search', 90);

/** Looks into the past, and for something: a level has them answered from a cache, and overload refuses them first. */
export function kindOfLook(method: string, url: string): 'history' | 'slot-search' | null {
	if (method !== 'GET' || !url.startsWith('/api/v1/')) return null;
	if (/\/(record|history|export|decisions)(\/|$)/.test(url)) return 'history';
	return url.startsWith('/api/v1/booking/') ? 'slot-search' : null;
}

/** The control room's own hand is never refused; its looks into the past give way first. */
export const findPriority: FindPriority = (method, url) => {
	const name = `${method === 'HEAD' ? 'GET' : method} ${url}`;
	if (never.has(name)) return null;
	const own = priorities[name];
	if (own) return own;
	if (url.startsWith('/api/v1/')) {
		if (method !== 'GET' && method !== 'HEAD') return null;
		if (/\/(record|history|export|decisions|trends?|trend)(\/|$)/.test(url)) return history;
		return /^\/api\/v1\/booking\//.test(url) ? search : null;
	}
	return url.startsWith('/queue/') ? otherPublic : null;
};
