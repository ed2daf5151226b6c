import {
	etaRangeSeconds,
	etaSeconds,
	pollAfterMs,
	type JoinAnswer,
	type StatusAnswer
} from '../../../contract/index.ts';
import type { Ticket } from './ticket-table.ts';

/** What an answer needs to know besides the ticket. */
export interface AnswerContext {
	/** 0: it is the person's turn; 1: the next. */
	position: number;
	ratePerSecond: number;
	pollFactor: number;
	random: () => number;
}

/** Time and pace of somebody who waits. The time is null when nobody can know. */
export function waitOf({ position, ratePerSecond, pollFactor, random }: AnswerContext) {
	const exact = etaSeconds(position, ratePerSecond);
	const eta = exact === null ? null : Math.round(exact * 10) / 10;
	return { eta, range: etaRangeSeconds(eta), pollAfterMs: pollAfterMs(eta, random, pollFactor) };
}

export function joinWaiting(
	ticket: Ticket,
	token: string,
	context: AnswerContext
): Extract<JoinAnswer, { admitted: false }> {
	const wait = waitOf(context);
	return {
		ticket: token,
		number: ticket.number,
		position: context.position,
		etaSeconds: wait.eta,
		eta_s: wait.eta,
		pollAfterMs: wait.pollAfterMs,
		admitted: false,
		...(ticket.late ? { late: true as const } : {})
	};
}

export function joinAdmitted(
	ticket: Ticket,
	token: string,
	pass: string,
	context: AnswerContext
): JoinAnswer {
	return {
		admitted: true,
		token: pass,
		ticket: token,
		number: ticket.number,
		position: 0,
		etaSeconds: 0,
		eta_s: 0,
		pollAfterMs: waitOf({ ...context, position: 0 }).pollAfterMs,
		expiresAt: ticket.dueAt
	};
}

export function statusWaiting(context: AnswerContext): Extract<StatusAnswer, { admitted: false }> {
	const wait = waitOf(context);
	return {
		admitted: false,
		position: context.position,
		etaSeconds: wait.eta,
		eta_s: wait.eta,
		etaRangeSeconds: wait.range,
		pollAfterMs: wait.pollAfterMs
	};
}

/**
 * The turn has come, or had come. `pass` is handed out in the laboratory alone. Nothing changes until the person
 * presses: the page need not ask but at the slowest pace (with a quicker one these polls were most of the load).
 */
export function statusCalled(ticket: Ticket, pass: string | null, context: AnswerContext): StatusAnswer {
	return {
		admitted: true,
		claimBefore: ticket.state === 'called' ? ticket.dueAt : null,
		...(pass === null ? {} : { token: pass }),
		pollAfterMs: pollAfterMs(null, context.random, context.pollFactor)
	};
}
