import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { browserKeyHeader, type ErrorCode, type StatusReply } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { refuseCrossSite } from '../../platform/http/guard.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Desk } from './desk.ts';
import { plainPage, plainPolicy, type PlainView } from './plain-page.ts';
import { plainLanguages, plainTexts, type PlainLanguage, type PlainTexts } from './plain-texts.ts';
import type { Seen } from './visitor.ts';
import { readParty } from './waiting-room-routes.ts';

interface PlainCalls {
	see: (request: FastifyRequest) => Promise<Seen>;
	anonymousPlaces: () => boolean;
	desk: Desk;
	/** The site's time zone: hours are shown as they are there. */
	timeZone: string;
}

/** The place of a browser without script: its key and its ticket, in one cookie that only these pages get. */
interface Kept {
	key: string;
	ticket: string;
}

const cookieName = 'marsad_plain';
const cookieSeconds = 14 * 86_400;
const cookieShape = new RegExp(
	`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{22,64})~([A-Za-z0-9_.-]{0,512})(?:;|$)`
);
const Language = Type.Object({ language: Type.Union(plainLanguages.map((one) => Type.Literal(one))) });
type LanguageRequest = FastifyRequest<{ Params: { language: PlainLanguage } }>;

/**
 * GET /plain/:language, GET …/place, POST …/join, POST …/leave: the waiting room for browsers without JavaScript, as
 * small pages that change only when somebody presses. Reading changes nothing.
 */
export function plainRoutes(app: HotApp, calls: PlainCalls): void {
	void app.register(async (scope) => {
		scope.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body))))
		);
		const options = { schema: { params: Language, hide: true } };
		scope.get('/plain/:language', options, async (request: LanguageRequest, reply) => {
			const { texts } = textsOf(request);
			const view = { heading: texts.title, lines: [texts.lead], hasPlace: keptOf(request) !== null };
			return show(request, reply, 200, view);
		});
		scope.get('/plain/:language/place', options, (request: LanguageRequest, reply) =>
			answer(request, reply, async (texts) => {
				const kept = keptOf(request);
				if (!kept) throw new AppError('not_yours');
				const { visitor } = await seeAs(calls, request, kept.key);
				const status = await calls.desk.status(visitor, kept.ticket);
				if ('ticket' in status && status.ticket) keep(reply, { ...kept, ticket: status.ticket });
				return statusView(status, texts, calls.timeZone);
			})
		);
		scope.post('/plain/:language/join', options, (request: LanguageRequest, reply) =>
			answer(request, reply, async () => {
				refuseCrossSite(request);
				const key = keptOf(request)?.key ?? randomBytes(24).toString('base64url');
				const { visitor } = await seeAs(calls, request, key);
				if (!calls.anonymousPlaces()) throw new AppError('joins_closed');
				const joined = await calls.desk.join(visitor, readParty(request, null));
				keep(reply, { key, ticket: joined.ticket });
				return 'place';
			})
		);
		scope.post('/plain/:language/leave', options, (request: LanguageRequest, reply) =>
			answer(request, reply, async (texts) => {
				refuseCrossSite(request);
				const kept = keptOf(request);
				if (kept) await calls.desk.leave((await seeAs(calls, request, kept.key)).visitor, kept.ticket);
				forget(reply);
				return { heading: texts.left, lines: [texts.lead], hasPlace: false };
			})
		);
	});
}

/** A browser without script has its key in the cookie; nothing else of the request says who asks. */
function seeAs(calls: PlainCalls, request: FastifyRequest, key: string): Promise<Seen> {
	const headers = { [browserKeyHeader]: key };
	return calls.see({ headers, query: {}, body: {}, id: request.id } as unknown as FastifyRequest);
}

/** Shows what came out, leads on to another page, or says in words why not. */
async function answer(
	request: LanguageRequest,
	reply: FastifyReply,
	run: (texts: PlainTexts) => Promise<PlainView | 'place'>
): Promise<FastifyReply> {
	const { language, texts } = textsOf(request);
	try {
		const view = await run(texts);
		if (view === 'place') {
			return await reply
				.header('cache-control', 'no-store, private')
				.redirect(`/plain/${language}/place`, 303);
		}
		return await show(request, reply, 200, view);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		const gone = refusals[error.code] === 'gone';
		if (gone) forget(reply);
		if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
		const hasPlace = !gone && keptOf(request) !== null;
		return show(request, reply, error.status, { heading: refusalOf(error, texts), lines: [], hasPlace });
	}
}

/** Words for refusals that somebody can act on. */
const refusals: Partial<Record<ErrorCode, 'gone' | 'early' | 'full' | 'closed' | 'signInOff'>> = {
	not_yours: 'gone',
	old_epoch: 'gone',
	turn_expired: 'gone',
	too_early: 'early',
	queue_full: 'full',
	busy: 'full',
	rate_limited: 'full',
	joins_closed: 'closed',
	room_closed: 'closed',
	too_early_to_join: 'closed',
	identity_not_configured: 'signInOff'
};

function refusalOf(error: AppError, texts: PlainTexts): string {
	const n = new Intl.NumberFormat(texts.locale).format(error.retryAfterSeconds ?? 0);
	return texts[refusals[error.code] ?? 'failed'].replace('{n}', n);
}

function statusView(status: StatusReply, texts: PlainTexts, timeZone: string): PlainView {
	const number = new Intl.NumberFormat(texts.locale);
	const at = (time: number) =>
		new Intl.DateTimeFormat(texts.locale, {
			...{ calendar: 'gregory', dateStyle: 'full', timeStyle: 'short', timeZone, hourCycle: 'h23' }
		}).format(time);
	if ('registered' in status) {
		return {
			heading: texts.kept,
			lines: [texts.registered.replace('{time}', at(status.opensAt))],
			hasPlace: true
		};
	}
	if (status.admitted) {
		const until = status.claimBefore === null ? '' : at(status.claimBefore);
		return { heading: texts.turn.replace('{time}', until), lines: [texts.turnHow], hasPlace: true };
	}
	const range = status.etaRangeSeconds?.map((seconds) => number.format(Math.ceil(seconds / 60)));
	const minutes = range && texts.minutes.replace('{n}', [...new Set(range)].join(' … '));
	const lines = [
		texts.ahead.replace('{n}', number.format(Math.max(0, status.position - 1))),
		texts.wait.replace('{time}', minutes ?? texts.unknown),
		...(status.number === undefined ? [] : [texts.number.replace('{n}', number.format(status.number))])
	];
	return { heading: texts.kept, lines, hasPlace: true };
}

function textsOf(request: LanguageRequest): { language: PlainLanguage; texts: PlainTexts } {
	const { language } = request.params;
	return { language, texts: plainTexts[language] };
}

function show(request: LanguageRequest, reply: FastifyReply, status: number, view: PlainView): FastifyReply {
	const { language, texts } = textsOf(request);
	return (
		reply
			.code(status)
			.header('content-type', 'text/html; charset=utf-8')
			.header('cache-control', 'no-store, private')
			.header('content-security-policy', plainPolicy)
			// Not "no-referrer": the forms' origin would become null, and nobody could tell them from another site's.
			.header('referrer-policy', 'same-origin')
			.header('x-content-type-options', 'nosniff')
			.send(plainPage(language, texts, view))
	);
}

function keptOf(request: FastifyRequest): Kept | null {
	const found = cookieShape.exec(request.headers.cookie ?? '');
	return found ? { key: found[1]!, ticket: found[2]! } : null;
}

function keep(reply: FastifyReply, { key, ticket }: Kept): void {
	setCookie(reply, `${key}~${ticket}`, cookieSeconds);
}

function forget(reply: FastifyReply): void {
	setCookie(reply, '', 0);
}

function setCookie(reply: FastifyReply, value: string, seconds: number): void {
	const secure = reply.request.protocol === 'https' ? '; Secure' : '';
	void reply.header(
		'set-cookie',
		`${cookieName}=${value}; Max-Age=${seconds}; Path=/plain; HttpOnly; SameSite=Lax${secure}`
	);
}
