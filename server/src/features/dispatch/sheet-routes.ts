import {
	HandoverNote,
	HandoverParams,
	HandoverQuery,
	HandoverRequest,
	HandoverSheet,
	StateSheetAnswer,
	StateSheetQuery,
	type StateSheet
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record } from '../record/index.ts';
import { refusePersonal } from './refusals.ts';
import {
	findStateSheet,
	insertHandover,
	listHandovers,
	listStateSheets,
	lockHandover,
	takeHandover
} from './sheet-store.ts';
import { buildHandover, type SheetParts } from './sheets.ts';
import type { Scope } from './team-store.ts';

export interface SheetRoutesDeps {
	db: Db;
	clock: Clock;
	scope: Scope;
	record: Pick<Record, 'append' | 'runCommand' | 'since'>;
	/** Everything as it is now. */
	parts(): Promise<SheetParts>;
	makeState(): Promise<StateSheet>;
}

/** Heartbeats of the house and what a screen shows anyway are no news for the next shift. */
const dull = ['session.start', 'session.end', 'dispatch.well', 'team.place'];

/** The hand-over sheet, its signature, and the state sheets. */
export function sheetRoutes(app: StaffApp, deps: SheetRoutesDeps): void {
	const { db, scope, clock, record } = deps;

	app.get(
		'/api/v1/handover',
		{ schema: { querystring: HandoverQuery, response: { 200: HandoverSheet } } },
		async (request) => {
			const max = limits.dispatch.handoverChangesShown;
			const changed = await record.since({
				at: clock.now() - (request.query.hours ?? 8) * 3_600_000,
				without: dull,
				limit: max + 1
			});
			return buildHandover(await deps.parts(), {
				changes: changed
					.slice(0, max)
					.map(({ at, actor, action, subject, reason }) => ({ at, actor, action, subject, reason })),
				changesCut: changed.length > max,
				lastNotes: await listHandovers(db, scope, limits.dispatch.handoverNotesShown)
			});
		}
	);

	app.post(
		'/api/v1/handover',
		{ schema: { body: HandoverRequest, response: { 201: HandoverNote } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, async (tx) => {
				const text = request.body.note.trim();
				if (!text) throw new AppError('bad_request', { field: 'body/note' });
				refusePersonal('note', text);
				const signed = { at: clock.now(), by: account.name, account: account.id, note: text };
				const note = await insertHandover(tx, scope, signed);
				await record.append(tx, { actor: account.email, action: 'handover.sign', subject: String(note.id) });
				return { status: 201, body: note };
			});
			return reply;
		}
	);

	takeRoute(app, deps);
	app.get(
		'/api/v1/state-sheet',
		{ schema: { querystring: StateSheetQuery, response: { 200: StateSheetAnswer } } },
		async (request) => {
			const { at, now } = request.query;
			const sheet = now ? await deps.makeState() : await findStateSheet(db, scope, at);
			if (at !== undefined && !sheet) throw new AppError('not_found', { at });
			return { sheet, kept: await listStateSheets(db, scope) };
		}
	);
}

/** The coming shift takes over what the leaving one signed: another person, and one only. */
function takeRoute(app: StaffApp, { scope, clock, record }: SheetRoutesDeps): void {
	app.post(
		'/api/v1/handover/:id/take',
		{ schema: { params: HandoverParams, response: { 200: HandoverNote } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, async (tx) => {
				const { id } = request.params;
				const found = await lockHandover(tx, scope, id);
				if (!found) throw new AppError('not_found', { id });
				if (found.note.taken) throw new AppError('handover_taken', { id });
				// One that was signed before accounts were kept has a name alone.
				const isSame = found.account === null ? found.note.by === account.name : found.account === account.id;
				if (isSame) throw new AppError('second_person_needed', { id });
				const taken = { at: clock.now(), by: account.name };
				await takeHandover(tx, id, taken);
				await record.append(tx, { actor: account.email, action: 'handover.take', subject: String(id) });
				return { status: 200, body: { ...found.note, taken } };
			});
			return reply;
		}
	);
}
