import { STATUS_CODES } from 'node:http';
import AjvCompiler from '@fastify/ajv-compiler';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
	LogController,
	type FastifyError,
	type FastifyReply,
	type FastifyRequest,
	type FastifySchemaCompiler
} from 'fastify';
import type { Account, ErrorCode } from '../../../contract/index.ts';
import { AppError, preferredLanguage, toProblem } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { isDataFault } from '../database/faults.ts';
import type { Log } from '../log.ts';
import { guardStaffRoutes } from './guard.ts';
import type { HotApp } from './hot-app.ts';
import { createPreparedAnswers } from './prepared.ts';
import type { StaffApp } from './staff-app.ts';

/** Builds the bare HTTP server: limits, the one error handler, no routes. */
export function buildHttp(log: Log): HotApp {
	const app = Fastify({
		loggerInstance: log.child({ part: 'http' }, { level: log.level === 'debug' ? 'debug' : 'warn' }),
		logController: new LogController({ disableRequestLogging: true }),
		// One logger for all: nothing is logged of a request but its failure, which carries an id of its own.
		childLoggerFactory: (logger) => logger,
		bodyLimit: limits.http.bodyBytes,
		requestTimeout: limits.http.requestTimeoutMs,
		connectionTimeout: limits.http.connectionTimeoutMs,
		keepAliveTimeout: limits.http.keepAliveTimeoutMs,
		routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
		http: { headersTimeout: limits.http.headersTimeoutMs },
		frameworkErrors: (error, request, reply) => void answerError(error, request, reply as FastifyReply)
	}).withTypeProvider<TypeBoxTypeProvider>();
	app.setValidatorCompiler(validateByPart());
	app.decorateRequest('account', null);
	app.decorate('prepared', createPreparedAnswers(app.server));
	app.setErrorHandler(answerError);
	app.setNotFoundHandler((request, reply) => sendProblem(request, reply, 'not_found'));
	return app as unknown as HotApp;
}

/**
 * An address has no types, so its numbers are read from text. A body has: `null` is not 0 there and `"1"` not 1, or an
 * unknown figure would become a command.
 */
function validateByPart(): FastifySchemaCompiler<unknown> {
	const build = AjvCompiler();
	const shared = { removeAdditional: false, allErrors: false } as const;
	const body = build({}, { customOptions: { ...shared, coerceTypes: false } });
	const address = build({}, { customOptions: { ...shared, coerceTypes: 'array' } });
	return (route) => (route.httpPart === 'body' ? body : address)(route as never);
}

/** The scope of staff routes: headers, cookies, per-address rate limit, cross-site and role checks. */
export async function openStaffScope(
	app: HotApp,
	options: {
		authenticate: (request: FastifyRequest) => Promise<Account | null>;
		register: (staff: StaffApp) => void;
	}
): Promise<void> {
	await app.register(async (scope) => {
		await scope.register(helmet, {
			contentSecurityPolicy: false,
			crossOriginResourcePolicy: { policy: 'same-origin' }
		});
		await scope.register(cookie);
		scope.addHook('onRequest', async (request, reply) => {
			// Whoever hung up while the server was busy has no address any more, and hears no answer.
			if ((request.ip as string | undefined) === undefined) return reply.hijack();
		});
		await scope.register(rateLimit, {
			max: limits.http.staffRequestsPerMinute,
			timeWindow: 60_000,
			errorResponseBuilder: (_request, context) =>
				new AppError('rate_limited', {}, Math.max(1, Math.ceil(context.ttl / 1_000)))
		});
		guardStaffRoutes(scope as unknown as StaffApp, options.authenticate);
		options.register(scope as unknown as StaffApp);
	});
}

function sendProblem(
	request: FastifyRequest,
	reply: FastifyReply,
	code: ErrorCode,
	details: Record<string, unknown> = {}
): FastifyReply {
	const problem = toProblem(code, preferredLanguage(request.headers['accept-language']), details);
	return reply
		.code(problem.status)
		.header('content-type', 'application/problem+json; charset=utf-8')
		.header('cache-control', 'no-store')
		.send(JSON.stringify(problem));
}

/** The one place where errors become answers: refusals keep their code, bugs become 500 with a quotable id. */
export function answerError(
	error: FastifyError | AppError,
	request: FastifyRequest,
	reply: FastifyReply
): FastifyReply {
	if (error instanceof AppError) {
		if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
		return sendProblem(request, reply, error.code, error.details);
	}
	if (error.validation) {
		const [first] = error.validation;
		return sendProblem(request, reply, 'bad_request', {
			field: `${error.validationContext ?? 'request'}${first?.instancePath ?? ''}`,
			detail: first?.message ?? 'is not as it should be'
		});
	}
	const code = frameworkCode(error);
	if (code) return sendProblem(request, reply, code);
	const problem = toProblem('internal', preferredLanguage(request.headers['accept-language']));
	request.log.error(
		{ err: { message: error.message, stack: error.stack, code: error.code }, id: problem.id },
		'a request failed'
	);
	return reply
		.code(500)
		.header('content-type', 'application/problem+json; charset=utf-8')
		.header('cache-control', 'no-store')
		.send(JSON.stringify(problem));
}

/** Refusals that the framework itself makes before a handler runs. */
function frameworkCode(error: FastifyError): ErrorCode | null {
	if (error.statusCode === 413) return 'too_large';
	if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
		return 'bad_json';
	const status = error.statusCode ?? 500;
	if (status >= 400 && status < 500 && STATUS_CODES[status]) {
		return status in statusToCode ? statusToCode[status]! : 'bad_request';
	}
	// A value that no column holds: the caller can mend it.
	if (isDataFault(error)) return 'bad_request';
	// A lost or exhausted database is a part that is away, not a bug of ours.
	if (isDatabaseAway(error)) return 'not_ready';
	return null;
}

const statusToCode: Record<number, ErrorCode> = { 404: 'not_found', 429: 'rate_limited' };

const awayCodes = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'EPIPE',
	'ETIMEDOUT',
	'57P01',
	'57P02',
	'57P03',
	'53300',
	'08006',
	'08003',
	'08001'
]);

/** True for errors that mean "the database cannot be reached just now". */
export function isDatabaseAway(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const { code } = error as Error & { code?: string };
	return (
		(code !== undefined && awayCodes.has(code)) ||
		/timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
			error.message
		)
	);
}
