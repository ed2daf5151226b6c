import { Type } from 'typebox';
import {
	AffectedSlots,
	EvacuationChange,
	EvacuationRequest,
	EvacuationState,
	Gate,
	GateAdvanceRequest,
	GateConfirmRequest,
	GatesAnswer,
	GateStateRequest,
	ProposalDismissal
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { createEvacuationCommands } from './evacuation-commands.ts';
import { createGateCommands, type CommandDeps } from './gate-commands.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 200 }) });
const Ok = Type.Object({ ok: Type.Boolean() });

/** Gates and stop and evacuate: what is, and every command on it. */
export function gateRoutes(app: StaffApp, deps: CommandDeps & { slots(): Promise<AffectedSlots> }): void {
	const { board, record } = deps;

	app.get('/api/v1/gates', { schema: { response: { 200: GatesAnswer } } }, async () => ({
		gates: board.gates(),
		proposals: board.proposals(),
		evacuation: board.evacuation()
	}));
	app.get('/api/v1/gates/slots', { schema: { response: { 200: AffectedSlots } } }, () => deps.slots());
	app.get('/api/v1/gates/:id', { schema: { params: Params, response: { 200: Gate } } }, async (request) => {
		const gate = board.gates().find(({ id }) => id === request.params.id);
		if (!gate) throw new AppError('no_such_gate', { gate: request.params.id });
		return gate;
	});

	app.post(
		'/api/v1/gates/:id/state',
		{ schema: { params: Params, body: GateStateRequest, response: { 200: Gate } } },
		async (request, reply) => {
			const commands = createGateCommands(deps, request.account!);
			const { id } = request.params;
			await record.runCommand(request, reply, request.account!.id, (tx) =>
				commands.setState(tx, id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/gates/:id/advance',
		{ schema: { params: Params, body: GateAdvanceRequest, response: { 200: Gate } } },
		async (request, reply) => {
			const commands = createGateCommands(deps, request.account!);
			const { id } = request.params;
			await record.runCommand(request, reply, request.account!.id, (tx) =>
				commands.advance(tx, id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/gates/:id/confirm',
		{ schema: { params: Params, body: GateConfirmRequest, response: { 200: Gate } } },
		async (request, reply) => {
			const commands = createGateCommands(deps, request.account!);
			const { id } = request.params;
			await record.runCommand(request, reply, request.account!.id, (tx) =>
				commands.confirm(tx, id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/gates/proposals/:id/dismiss',
		{ schema: { params: Params, body: ProposalDismissal, response: { 200: Ok } } },
		async (request, reply) => {
			const commands = createGateCommands(deps, request.account!);
			const { id } = request.params;
			await record.runCommand(request, reply, request.account!.id, (tx) =>
				commands.dismiss(tx, id, request.body)
			);
			return reply;
		}
	);
	evacuationRoutes(app, deps);
}

function evacuationRoutes(app: StaffApp, deps: CommandDeps): void {
	const { board, record } = deps;
	const answers = { response: { 200: EvacuationState } };

	app.get('/api/v1/evacuation', { schema: answers }, async () => board.evacuation());
	app.post(
		'/api/v1/evacuation',
		{ schema: { body: EvacuationRequest, ...answers } },
		async (request, reply) => {
			const commands = createEvacuationCommands(deps, request.account!);
			await record.runCommand(request, reply, request.account!.id, (tx) => commands.start(tx, request.body));
			return reply;
		}
	);
	app.post(
		'/api/v1/evacuation/take',
		{ schema: { body: EvacuationChange, ...answers } },
		async (request, reply) => {
			const commands = createEvacuationCommands(deps, request.account!);
			await record.runCommand(request, reply, request.account!.id, (tx) => commands.take(tx, request.body));
			return reply;
		}
	);
	app.post(
		'/api/v1/evacuation/stand-down',
		{ schema: { body: EvacuationChange, ...answers } },
		async (request, reply) => {
			const commands = createEvacuationCommands(deps, request.account!);
			await record.runCommand(request, reply, request.account!.id, (tx) =>
				commands.standDown(tx, request.body)
			);
			return reply;
		}
	);
}
