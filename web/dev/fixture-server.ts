import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import {
	errorCodes,
	type Account,
	type ErrorCode,
	type LevelsState,
	type LiveTopic,
	type Role
} from '@marsad/server/contract';
import { Server } from 'socket.io';
import {
	planOfDemo,
	spikeAt,
	totalNow,
	trendUntil,
	zonesNow,
	zoneTrend,
	type Scene
} from './fixture-data.ts';
import { alarmsNow, crewNow, figuresNow, nearestNow } from './fixture-crew.ts';
import { conflictsNow, entriesNow, placesNow, scannersNow } from './fixture-entries.ts';
import { keptForecastsNow, pressForecastNow } from './fixture-forecast.ts';
import { keysNow } from './fixture-keys.ts';
import { seasonDays, seasonNow } from './fixture-season.ts';
import { evacuationNow, gatesNow, previewAnswer, proposalsNow, slotsNow } from './fixture-gates.ts';
import {
	commandLevels,
	drillsOf,
	levelsOf,
	previewOf,
	rulesOf,
	settledAt,
	type LevelScene
} from './fixture-levels.ts';
import { sampleDecision, sampleHand } from './samples.ts';

/**
 * Serves build/ with made-up figures, to look at the screens without the server: `node dev/fixture-server.ts [port]`.
 * Never shipped. Sign in as anybody: the word before @ chooses the role (duty, second, crowd, oncall, viewer,
 * steward). `GET /fixture?scene=calm|storm|critical|stale|silent|drift|evacuation`, `?mute=1` (a dead link), `?faster=1` (next switch is 409),
 * `?levels=plain|proposal|down|until|over|forgotten|waiting|drill|drift|blind|glass|undo`,
 * `?flood=1` (alarms).
 */
const port = Number(process.argv[2] ?? 4173);
const build = join(import.meta.dirname, '../build');
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const startedAt = Date.now() - 30 * 60_000;
let scene: Scene = 'storm';
let isMute = false;
let isFlood = false;
let isFasterNext = false;
let levelScene: LevelScene = 'plain';
let levels: LevelsState = levelsOf(levelScene, Date.now());
const stream = String(startedAt);
const seqs: Record<LiveTopic, number> = {
	overview: 0,
	spike: 0,
	crowd: 0,
	alarms: 0,
	dispatch: 0,
	levels: 0,
	season: 0
};
const accounts = new Map<string, Account>();

const types: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.svg': 'image/svg+xml',
	'.json': 'application/json',
	'.woff2': 'font/woff2'
};
const roles: Record<string, Role> = {
	duty: 'duty-manager',
	second: 'duty-manager',
	crowd: 'crowd-controller',
	oncall: 'on-call-engineer',
	steward: 'steward',
	admin: 'administrator',
	lead: 'team-leader'
};

function stateOf(topic: LiveTopic): Record<string, unknown> {
	const now = Date.now();
	if (topic === 'spike')
		return {
			now: spikeAt(now, startedAt, scene, levels.current.level),
			decisions: [
				sampleDecision({ at: startedAt - 60_000 }),
				sampleDecision({ at: startedAt - 600_000, before: null, perSecond: 250, limitedBy: 'manager' })
			],
			hand: sampleHand({ last: sampleHand().last.map((each) => ({ ...each, at: startedAt - 900_000 })) })
		};
	if (topic === 'levels') return { state: levels, rules: rulesOf(levelScene, now) };
	if (topic === 'alarms') return alarmsNow(now, isFlood);
	if (topic === 'dispatch') return crewNow(now);
	if (topic === 'season') return { plan: seasonNow(startedAt) };
	const zones = zonesNow(now, scene);
	if (topic === 'crowd')
		return {
			total: totalNow(now, zones),
			...Object.fromEntries(zones.map((zone) => [`zone:${zone.id}`, zone])),
			...Object.fromEntries(gatesNow(now, scene).map((gate) => [`gate:${gate.id}`, gate])),
			proposals: proposalsNow(now, scene),
			evacuation: evacuationNow(now, scene),
			...entriesNow(now)
		};
	const entry = levels.levels[levels.current.level]!;
	return {
		bar: {
			level: entry.level,
			levelName: entry.name,
			levelExercise: levels.current.exercise,
			dataAt: now - 1_000,
			mark: 'simulated',
			build: 'fixture',
			site: { ar: 'الموقع التجريبي', en: 'Demo site' },
			timeZone: 'Asia/Riyadh'
		}
	};
}

const send = (response: ServerResponse, status: number, body: unknown) =>
	response
		.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
		.end(body === null ? '' : JSON.stringify(body));
const refuse = (response: ServerResponse, code: ErrorCode) =>
	send(response, errorCodes[code].status, {
		type: 'about:blank',
		status: errorCodes[code].status,
		code,
		error: code,
		title: errorCodes[code].en
	});

function accountOf(cookie: string | undefined): Account | null {
	return accounts.get(/fixture=([\w-]+)/.exec(cookie ?? '')?.[1] ?? '') ?? null;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Everything about levels, or false when the call is none of theirs. */
async function answerLevels(
	request: IncomingMessage,
	response: ServerResponse,
	url: URL,
	account: Account
): Promise<boolean> {
	if (!url.pathname.startsWith('/api/v1/levels')) return false;
	const now = Date.now();
	const path = url.pathname.slice('/api/v1/levels'.length);
	if (request.method === 'GET') {
		const level = Number(url.searchParams.get('level'));
		if (path === '') send(response, 200, levels);
		else if (path === '/preview') send(response, 200, previewOf(levels, level, now));
		else if (path === '/drills') send(response, 200, drillsOf(now));
		else send(response, 200, { open: levels.ruleProposal, settled: settledAt(now), next: null });
		return true;
	}
	const body = await bodyOf(request);
	const isFaster = isFasterNext && path === '/current';
	if (isFaster) isFasterNext = false;
	const put = (next: LevelsState) => {
		levels = next;
		push('levels');
		push('overview');
	};
	const answer = commandLevels(levels, put, { account, path, body, isFaster });
	send(response, answer.status, answer.body);
	return true;
}

async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
	const call = `${request.method} ${url.pathname}`;
	if (call === 'POST /api/v1/session') {
		const body = await bodyOf(request);
		const email = String(body['email']);
		const name = email.split('@')[0]!;
		if (body['password'] === 'wrong') return void refuse(response, 'wrong_credentials');
		const account: Account = { id: name, email, name, role: roles[name] ?? 'viewer' };
		accounts.set(name, account);
		response.setHeader('set-cookie', `fixture=${name}; Path=/; HttpOnly; SameSite=Strict`);
		return void send(response, 200, { account, expiresAt: Date.now() + 3_600_000, demo: true });
	}
	const account = accountOf(request.headers.cookie);
	if (!account) return void refuse(response, 'not_signed_in');
	if (call === 'GET /api/v1/session')
		return void send(response, 200, { account, expiresAt: Date.now() + 3_600_000, demo: true });
	if (call === 'DELETE /api/v1/session') {
		response.setHeader('set-cookie', 'fixture=; Path=/; Max-Age=0');
		return void send(response, 204, null);
	}
	if (call === 'GET /api/v1/site') return void send(response, 200, planOfDemo());
	if (call === 'GET /api/v1/spike/trend')
		return void send(response, 200, trendUntil(Date.now(), startedAt, scene));
	const trend = /^GET \/api\/v1\/zones\/([\w-]+)\/trend$/.exec(call);
	if (trend) return void send(response, 200, zoneTrend(trend[1]!, Date.now(), scene));
	if (call === 'GET /api/v1/forecast/press')
		return void send(response, 200, pressForecastNow(Date.now(), url.searchParams));
	if (call === 'GET /api/v1/forecast/kept') return void send(response, 200, keptForecastsNow(Date.now()));
	if (call === 'GET /api/v1/spike/decisions')
		return void send(response, 200, { decisions: [], next: null, mark: 'simulated' });
	if (call === 'PUT /api/v1/queue/rate' || call === 'PUT /api/v1/queue/mode')
		return void send(response, 200, { perSecond: 250, mode: 'open', ...(await bodyOf(request)) });
	const gateCall = /^POST \/api\/v1\/gates\/([\w-]+)\/(state|advance|confirm)$/.exec(call);
	if (gateCall)
		return void send(
			response,
			200,
			gatesNow(Date.now(), scene).find((gate) => gate.id === gateCall[1])
		);
	if (call === 'GET /api/v1/gates')
		return void send(response, 200, {
			gates: gatesNow(Date.now(), scene),
			proposals: proposalsNow(Date.now(), scene),
			evacuation: evacuationNow(Date.now(), scene)
		});
	if (call === 'GET /api/v1/gates/slots') return void send(response, 200, slotsNow(Date.now()));
	if (call === 'GET /api/v1/evacuation') return void send(response, 200, evacuationNow(Date.now(), scene));
	if (call.startsWith('POST /api/v1/evacuation')) {
		scene = call.endsWith('/stand-down') ? 'storm' : 'evacuation';
		return void send(response, 200, evacuationNow(Date.now(), scene));
	}
	if (call === 'GET /api/v1/scanners') return void send(response, 200, { scanners: scannersNow(Date.now()) });
	if (call === 'GET /api/v1/entries/conflicts') return void send(response, 200, conflictsNow(Date.now()));
	if (call === 'GET /api/v1/entries/places') return void send(response, 200, { places: placesNow });
	if (call === 'GET /api/v1/permits/keys') return void send(response, 200, keysNow(Date.now()));
	if (call === 'GET /api/v1/season/days') return void send(response, 200, seasonDays(url.searchParams));
	if (call === 'POST /api/v1/sensors/preview') return void send(response, 200, previewAnswer);
	if (call === 'GET /api/v1/teams/nearest') return void send(response, 200, nearestNow(Date.now()));
	if (call === 'GET /api/v1/alarms/figures') return void send(response, 200, figuresNow(Date.now()));
	if (call === 'GET /api/v1/sensors') return void send(response, 200, sensorsNow());
	if (await answerLevels(request, response, url, account)) return;
	if (/^POST \/api\/v1\/zones\/[\w-]+\/recount$/.test(call))
		return void send(response, 200, zonesNow(Date.now(), scene)[0]);
	refuse(response, 'not_found');
}

function sensorsNow() {
	const now = Date.now();
	const sensors = zonesNow(now, scene).flatMap((zone) =>
		Array.from({ length: 8 }, (_, i) => {
			const isSilent = zone.quality === 'unknown' || (zone.quality === 'partial' && i < 3);
			return {
				device: `${zone.id}-c${i + 1}`,
				adapter: 'own',
				counters: [`${zone.id}-c${i + 1}`],
				zones: [zone.id],
				state: isSilent ? (i % 2 === 0 ? 'offline' : 'stale') : 'online',
				heard: isSilent ? 0 : 1,
				silentSince: isSilent ? now - 245_000 : null,
				optional: false,
				lastReadingAt: isSilent ? now - 245_000 : now - 2_000,
				ageSeconds: isSilent ? 245 : 2,
				readings: 4_120,
				rejects: i === 0 ? { duplicate: 3, late: 1 } : {},
				missed: i === 0 ? 2 : 0,
				clockOffsetMs: i === 3 ? 41_000 : 120,
				clock: i === 3 ? 'skewed' : 'good',
				hints: i === 4 ? [{ counter: `${zone.id}-c5`, kind: 'flat', since: now - 7_200_000 }] : [],
				troubles: i === 5 ? [{ trouble: 'occluded', at: now - 600_000 }] : [],
				simulated: true,
				totals: { in: 900, out: 840 }
			};
		})
	);
	const count = (state: string) => sensors.filter((each) => each.state === state).length;
	return {
		sensors,
		summary: {
			devices: sensors.length,
			online: count('online'),
			offline: count('offline'),
			stale: count('stale'),
			never: 0,
			readings: 4_120 * sensors.length,
			rejected: 40,
			unknownDevices: []
		}
	};
}

function answerFile(response: ServerResponse, path: string): void {
	const safe = normalize(path).replace(/^(\.\.[/\\])+/, '');
	const candidates = [join(build, safe), join(build, `${safe}.html`), join(build, safe, 'index.html')];
	const file =
		candidates.find((each) => existsSync(each) && statSync(each).isFile()) ?? join(build, 'app.html');
	response.writeHead(200, {
		'content-type': types[extname(file)] ?? 'application/octet-stream',
		'content-security-policy': policy,
		'x-content-type-options': 'nosniff'
	});
	createReadStream(file).pipe(response);
}

const server = createServer((request, response) => {
	const url = new URL(request.url ?? '/', 'http://fixture');
	if (url.pathname === '/fixture') {
		scene = (url.searchParams.get('scene') as Scene | null) ?? scene;
		isMute = url.searchParams.get('mute') === '1';
		levelScene = (url.searchParams.get('levels') as LevelScene | null) ?? levelScene;
		levels = levelsOf(levelScene, Date.now());
		push('levels');
		push('overview');
		isFlood = url.searchParams.get('flood') === '1';
		isFasterNext = url.searchParams.get('faster') === '1';
		return void send(response, 200, { scene, isMute });
	}
	if (url.pathname.startsWith('/api/')) return void answerApi(request, response, url);
	answerFile(response, url.pathname);
});

const live = new Server(server, { path: '/socket.io', transports: ['websocket'] }).of('/live');
live.use((socket, next) =>
	next(
		accountOf(socket.request.headers.cookie)
			? undefined
			: Object.assign(new Error('not_signed_in'), { data: { code: 'not_signed_in' } })
	)
);
live.on('connection', (socket) => {
	socket.on('subscribe', (topic: LiveTopic, ack: (answer: unknown) => void) => {
		void socket.join(topic);
		ack({ ok: true });
		if (!isMute)
			socket.emit('snapshot', { topic, stream, seq: seqs[topic], at: Date.now(), state: stateOf(topic) });
	});
});
function push(topic: LiveTopic): void {
	seqs[topic] += 1;
	if (!isMute)
		live
			.to(topic)
			.emit('patch', { topic, stream, seq: seqs[topic], at: Date.now(), changes: stateOf(topic) });
}
setInterval(() => {
	push('spike');
	push('crowd');
	push('overview');
	push('levels');
}, 1_000);
setInterval(() => {
	if (!isMute) live.emit('heartbeat', { at: Date.now() });
}, 5_000);
server.listen(port, '127.0.0.1', () => process.stdout.write(`fixture on http://127.0.0.1:${port}\n`));
