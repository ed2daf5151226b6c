import { Type } from 'typebox';
import {
	Reduction,
	ReductionPreview,
	ReductionPreviewRequest,
	ReductionRequest,
	ReductionsAnswer,
	ReductionWithdrawal,
	type Account
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { CommandAnswer, Record as TheRecord } from '../record/index.ts';
import type { ReductionCommands } from './reduction-commands.ts';

interface ReductionCalls {
	record: Pick<TheRecord, 'runCommand'>;
	commands: ReductionCommands;
	list(): Promise<Reduction[]>;
	preview(request: ReductionPreviewRequest): Promise<ReductionPreview>;
	now(): number;
}

const ById = Type.Object({ id: Type.String({ maxLength: 64 }) });
const answers = { 200: Reduction, 202: Reduction };

const signedIn = (account: Account | null): Account => {
	if (!account) throw new AppError('not_signed_in');
	return account;
};

/** Slots that shrink or close: who is affected, the command, and how the answers come in. */
export function reductionRoutes(app: StaffApp, calls: ReductionCalls): void {
	const { record, commands } = calls;
	const run = (
		request: Parameters<TheRecord['runCommand']>[0] & { account: Account | null },
		reply: Parameters<TheRecord['runCommand']>[1],
		action: (tx: Tx, account: Account) => Promise<CommandAnswer>
	) => {
		const account = signedIn(request.account);
		return record.runCommand(request, reply, account.id, (tx) => action(tx, account));
	};

	app.get('/api/v1/reductions', { schema: { response: { 200: ReductionsAnswer } } }, async () => ({
		reductions: await calls.list(),
		at: calls.now()
	}));
	app.post(
		'/api/v1/reductions/preview',
		{ schema: { body: ReductionPreviewRequest, response: { 200: ReductionPreview } } },
		(request) => calls.preview(request.body)
	);
	app.post(
		'/api/v1/reductions',
		{ schema: { body: ReductionRequest, response: answers } },
		async (request, reply) => {
			await run(request, reply, (tx, account) => commands.create(tx, account, request.body));
			return reply;
		}
	);
	app.post(
		'/api/v1/reductions/:id/confirm',
		{ schema: { params: ById, response: answers } },
		async (request, reply) => {
			await run(request, reply, (tx, account) => commands.confirm(tx, account, request.params.id));
			return reply;
		}
	);
	app.post(
		'/api/v1/reductions/:id/withdraw',
		{ schema: { params: ById, body: ReductionWithdrawal, response: answers } },
		async (request, reply) => {
			const { reason } = request.body;
			await run(request, reply, (tx, account) => commands.withdraw(tx, account, request.params.id, reason));
			return reply;
		}
	);
}
