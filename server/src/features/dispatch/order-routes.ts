import { Type } from 'typebox';
import {
	Dispatch,
	DispatchBoard,
	DispatchRequest,
	DispatchStatusRequest,
	SupportRequest,
	WellRequest
} from '../../../contract/index.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record } from '../record/index.ts';
import type { Board } from './board.ts';
import type { OrderCommands } from './order-commands.ts';

/** The path of one thing. */
export const OneParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });

/** The board of orders, and every step of one. */
export function orderRoutes(
	app: StaffApp,
	deps: { board: Pick<Board, 'read'>; orders: OrderCommands; record: Pick<Record, 'runCommand'> }
): void {
	const { orders, record } = deps;

	app.get('/api/v1/dispatches', { schema: { response: { 200: DispatchBoard } } }, async () => ({
		dispatches: (await deps.board.read()).dispatches
	}));

	app.post(
		'/api/v1/dispatches',
		{ schema: { body: DispatchRequest, response: { 201: Dispatch } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) => orders.create(tx, account, request.body));
			return reply;
		}
	);

	app.post(
		'/api/v1/dispatches/:id/status',
		{ schema: { params: OneParams, body: DispatchStatusRequest, response: { 200: Dispatch } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				orders.move(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);

	app.post(
		'/api/v1/dispatches/:id/support',
		{ schema: { params: OneParams, body: SupportRequest, response: { 200: Dispatch } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				orders.support(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);

	app.post(
		'/api/v1/dispatches/:id/well',
		{ schema: { params: OneParams, body: WellRequest, response: { 200: Dispatch } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				orders.well(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);
}
