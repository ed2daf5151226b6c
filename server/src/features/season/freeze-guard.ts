import type { FastifyRequest } from 'fastify';
import {
	frozenCalls,
	isWithin,
	throughFreezeHeader,
	tidyText,
	type Call,
	type FreezeWindow,
	type SeasonPlan
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';

const reasonLengthMin = 3;
const reasonLengthMax = 500;

/** The freeze that covers a call at this moment; null: none does. */
export function freezeOf(plan: SeasonPlan, call: string, at: number): FreezeWindow | null {
	const cover = frozenCalls[call as Call];
	if (!cover) return null;
	return plan.freezes.find(({ covers, window }) => covers.includes(cover) && isWithin(window, at)) ?? null;
}

/**
 * Why this one call goes through a freeze all the same, as its header says; percent-encoded where it is not plain
 * Latin. @throws AppError frozen, where it does not say so
 */
export function reasonThrough({ headers }: Pick<FastifyRequest, 'headers'>, freeze: FreezeWindow): string {
	const text = tidyText(decoded(headers[throughFreezeHeader]));
	if (text.length >= reasonLengthMin && text.length <= reasonLengthMax) return text;
	throw new AppError('frozen', { freeze: freeze.names, until: freeze.window.until });
}

function decoded(header: string | string[] | undefined): string {
	if (typeof header !== 'string') return '';
	try {
		return decodeURIComponent(header);
	} catch {
		return header;
	}
}
