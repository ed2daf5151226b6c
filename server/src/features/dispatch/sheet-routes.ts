import {
	HandoverNote,
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
import { findStateSheet, insertHandover, listHandovers, listStateSheets } from './sheet-store.ts';
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
				const note = { at: clock.now(), by: account.name, note: text };
				await insertHandover(tx, scope, note);
				await record.append(tx, { actor: account.email, action: 'handover.sign' });
				return { status: 201, body: note };
			});
			return reply;
		}
	);

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
