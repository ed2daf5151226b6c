import { randomUUID } from 'node:crypto';
import { errorCodes, type ErrorCode, type Problem } from '../contract/index.ts';

/** A refusal to a caller. Expected outcomes are return values; this is for answers that end a request. */
export class AppError extends Error {
	readonly code: ErrorCode;
	readonly status: number;
	/** Extra members of the problem document, safe to show. */
	readonly details: Record<string, unknown>;
	/** Seconds for `Retry-After`; always set for 429 and 503. */
	readonly retryAfterSeconds: number | undefined;

	constructor(code: ErrorCode, details: Record<string, unknown> = {}, retryAfterSeconds?: number) {
		super(code);
		this.code = code;
		this.status = errorCodes[code].status;
		this.details = details;
		this.retryAfterSeconds =
			retryAfterSeconds ?? (this.status === 503 || this.status === 429 ? 5 : undefined);
	}
}

/** The short, stable English word of an error: `slot full` for `slot_full`. */
export function errorWord(code: ErrorCode): string {
	return code === 'not_yours' ? code : code.replaceAll('_', ' ');
}

/** Builds the problem document in the person's language. */
export function toProblem(
	code: ErrorCode,
	language: 'ar' | 'en',
	details: Record<string, unknown> = {}
): Problem {
	const entry = errorCodes[code];
	return {
		type: 'about:blank',
		status: entry.status,
		code,
		error: errorWord(code),
		title: entry[language],
		...(entry.status >= 500 && entry.status !== 503 ? { id: randomUUID() } : {}),
		...details
	};
}

/** Arabic is the first language; English where the caller prefers it. */
export function preferredLanguage(acceptLanguage: string | undefined): 'ar' | 'en' {
	if (!acceptLanguage) return 'en';
	const ranked = acceptLanguage
		.slice(0, 200)
		.split(',')
		.map((part) => {
			const [tag = '', quality = 'q=1'] = part.trim().split(';');
			return { tag: tag.toLowerCase().slice(0, 2), weight: Number(quality.split('=')[1] ?? 1) || 0 };
		})
		.filter(({ tag }) => tag === 'ar' || tag === 'en')
		.sort((a, b) => b.weight - a.weight);
	return ranked[0]?.tag === 'ar' ? 'ar' : 'en';
}
