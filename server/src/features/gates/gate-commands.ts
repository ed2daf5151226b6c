import type {
	Account,
	Gate,
	GateAdvanceRequest,
	GateConfirmRequest,
	GateStateRequest
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { CommandAnswer, Record as TheRecord } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import { findNewest, type StoredEvacuation } from './evacuation-store.ts';
import { reachOf } from './evacuation-plan.ts';
import type { Adoption, GateBoard } from './gate-board.ts';
import {
	decideGate,
	refuseForExit,
	rulesOf,
	type GateRules,
	type GateWish,
	type StoredGate
} from './gate-decide.ts';
import { lockGates, writeConfirmation, writeDismissal, writeSetting } from './gates-store.ts';

export interface CommandDeps {
	site: Site;
	clock: Clock;
	board: GateBoard;
	record: Pick<TheRecord, 'append' | 'runCommand'>;
	/** Within the transaction: other instances hear of it when it commits. */
	tell(tx: Tx): Promise<void>;
	/** After the commit: shows it here at once. */
	onChanged(change: Adoption): void;
}

/** A reason of blanks is none. @throws AppError `bad_request` */
export function trimReason(reason: string): string {
	const trimmed = reason.trim();
	if (trimmed.length < 3) throw new AppError('bad_request', { field: 'body/reason' });
	return trimmed;
}

/** What a line of the record says of a gate. */
export function settingOf(gate: StoredGate) {
	const { state, ratePerMinute, hold, reopening, version, confirmed } = gate;
	const confirmedState = confirmed?.state ?? null;
	return {
		state,
		ratePerMinute,
		holdUntil: hold?.until ?? null,
		reopening,
		version,
		confirmed: confirmedState
	};
}

/** Commands of one person on one gate, in one transaction that holds its row. */
export function createGateCommands(deps: CommandDeps, account: Account) {
	const { site, clock, board, record } = deps;

	const open = async (tx: Tx, id: string, expectedVersion: number | undefined) => {
		const properties = board.properties(id);
		const [current] = properties ? await lockGates(tx, site.id, [id]) : [];
		if (!properties || !current) throw new AppError('no_such_gate', { gate: id });
		if (expectedVersion !== undefined && expectedVersion !== current.version)
			throw new AppError('somebody_faster', { gate: id, current: settingOf(current) });
		return { current, rules: rulesOf(properties) };
	};
	const finish = async (
		tx: Tx,
		row: StoredGate,
		evacuation: StoredEvacuation | null,
		done?: Adoption['done']
	): Promise<CommandAnswer & { body: Gate }> => {
		await deps.tell(tx);
		return { body: board.view(row, evacuation), afterCommit: () => deps.onChanged({ gates: [row], done }) };
	};
	const put = async (
		tx: Tx,
		gate: { current: StoredGate; rules: GateRules },
		wish: GateWish,
		said: { action: string; reason: string | null; more?: object; zone?: string | undefined }
	) => {
		const at = clock.now();
		const evacuation = await findNewest(tx, site.id);
		const isRunning = evacuation !== null && evacuation.ended === null;
		const setting = decideGate(gate.rules, gate.current, wish, {
			now: at,
			evacuating: isRunning && reachOf(evacuation.scope, site).gates.includes(gate.rules.id),
			outside: board.view(gate.current, evacuation).crowdOutside
		});
		const { action, reason } = said;
		const row = await writeSetting(tx, site.id, gate.current, { setting, by: account.name, reason, at });
		await record.append(tx, {
			...{ actor: account.email, action, subject: `gate:${row.id}`, reason },
			before: settingOf(gate.current),
			after: { ...settingOf(row), ...said.more }
		});
		const done = said.zone === undefined ? undefined : { gate: row.id, zone: said.zone, by: account.name };
		return finish(tx, row, evacuation, done);
	};

	return {
		async setState(tx: Tx, id: string, request: GateStateRequest) {
			const reason = trimReason(request.reason);
			const gate = await open(tx, id, request.expectedVersion);
			const { state, ratePerMinute, holdSeconds, proposal } = request;
			const wish: GateWish = { kind: 'state', state, ratePerMinute, holdSeconds };
			const more = proposal ? { proposal } : {};
			const zone = board.proposals().find((other) => other.id === proposal)?.zone;
			return put(tx, gate, wish, { action: 'gate.state', reason, more, zone });
		},

		async advance(tx: Tx, id: string, request: GateAdvanceRequest) {
			const reason = request.reason === undefined ? null : trimReason(request.reason);
			const gate = await open(tx, id, request.expectedVersion);
			return put(tx, gate, { kind: 'advance', reason }, { action: 'gate.advance', reason });
		},

		/** What stands at the gate; the command stays as it is. */
		async confirm(tx: Tx, id: string, request: GateConfirmRequest) {
			const { current, rules } = await open(tx, id, request.expectedVersion);
			refuseForExit(rules, request.state);
			const byRadio = account.role !== 'steward' && account.role !== 'team-leader';
			const said = { state: request.state, by: account.name, byRadio, at: clock.now() };
			const row = await writeConfirmation(tx, site.id, current, said);
			await record.append(tx, {
				...{ actor: account.email, action: 'gate.confirm', subject: `gate:${id}` },
				before: settingOf(current),
				after: { ...settingOf(row), byRadio }
			});
			return finish(tx, row, await findNewest(tx, site.id));
		},

		/** Not now, and why. @throws AppError `proposal_gone` */
		async dismiss(tx: Tx, id: string, request: { reason: string }): Promise<CommandAnswer> {
			const reason = trimReason(request.reason);
			const proposal = board.proposals().find((other) => other.id === id);
			if (!proposal) throw new AppError('proposal_gone', { proposal: id });
			await writeDismissal(tx, site.id, id, clock.now());
			await record.append(tx, {
				...{ actor: account.email, action: 'gate.dismiss', subject: `zone:${proposal.zone}`, reason },
				before: { proposal: id, asks: proposal.asks, percent: proposal.percent },
				after: null
			});
			await deps.tell(tx);
			return { body: { ok: true }, afterCommit: () => deps.onChanged({ dismissed: id }) };
		}
	};
}
