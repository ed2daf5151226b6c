import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
	ConflictSeen,
	encodePairing,
	EntryConflict,
	EntryConflictsAnswer,
	PlaceEntryRequest,
	PlaceEntrySettings,
	PlaceEntrySettingsList,
	Scanner,
	ScannerCreated,
	ScannerRequest,
	ScannerRevocation,
	ScannersAnswer,
	TrailAnswer,
	TrailQuery
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { drawQr, readPermitId } from '../permits/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import { listConflicts } from './conflict-store.ts';
import { withNames, type EntryCommands } from './entry-commands.ts';
import { defaultPlace, listPlaceSettings } from './place-store.ts';
import { listScanners, type EntryScope } from './scanner-store.ts';

const ById = Type.Object({ id: Type.String({ maxLength: 64 }) });
const ByPlace = Type.Object({ place: Type.String({ maxLength: 64 }) });
const ByPermit = Type.Object({ permit: Type.String({ maxLength: 40 }) });

export interface StaffCalls {
	db: Db;
	clock: Clock;
	site: Site;
	scope: EntryScope;
	record: Pick<TheRecord, 'runCommand' | 'newest'>;
	commands: EntryCommands;
	/** After the commit of what screens show. */
	onChanged(): void;
}

/** Scanners, settings of places, conflicts and trails: what the control room and the administrator ask. */
export function entryStaffRoutes(app: StaffApp, calls: StaffCalls): void {
	scannerRoutes(app, calls);
	placeRoutes(app, calls);
	const { db, scope, record, commands, onChanged } = calls;

	app.get('/api/v1/entries/conflicts', { schema: { response: { 200: EntryConflictsAnswer } } }, async () => {
		const most = limits.entries.conflictsShown;
		const conflicts = await listConflicts(db, scope.season, most + 1);
		return { conflicts: conflicts.slice(0, most), more: conflicts.length > most };
	});
	app.post(
		'/api/v1/entries/conflicts/:id/seen',
		{ schema: { params: ById, body: ConflictSeen, response: { 200: EntryConflict } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, async (tx) => ({
				body: await commands.seeConflict(tx, account, request.params.id, request.body.reason),
				afterCommit: onChanged
			}));
			return reply;
		}
	);
	app.get(
		'/api/v1/entries/trail/:permit',
		{ schema: { params: ByPermit, querystring: TrailQuery, response: { 200: TrailAnswer } } },
		async (request) => {
			const permit = readPermitId(request.params.permit);
			if (!permit) throw new AppError('not_found');
			const { reason } = request.query;
			const entries = await db
				.transaction()
				.execute((tx) => commands.lookAtTrail(tx, request.account!, permit, reason));
			const lines = await record.newest({
				...{ actions: ['entry.trail'], subject: permit, limit: limits.entries.looksShown }
			});
			const looks = lines.map(({ actor, at, reason: why }) => ({ by: actor, at, reason: why ?? '' }));
			return { permit, entries, looks };
		}
	);
}

/** Tokens on their way to the one who made them: they are in no stored answer. */
const tokens = new WeakMap<FastifyRequest, string>();

function scannerRoutes(app: StaffApp, { db, clock, scope, record, commands, onChanged }: StaffCalls): void {
	app.get('/api/v1/scanners', { schema: { response: { 200: ScannersAnswer } } }, async () => ({
		scanners: await listScanners(db, scope, clock.now())
	}));
	app.post(
		'/api/v1/scanners',
		{
			schema: { body: ScannerRequest, response: { 200: ScannerCreated } },
			preSerialization: async (request, _reply, payload) => {
				const token = tokens.get(request);
				if (token === undefined) return payload;
				return { ...(payload as object), token, pairingQr: await drawQr(encodePairing(token), 'M') };
			}
		},
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, async (tx) => {
				const { scanner, token } = await commands.createScanner(tx, account, request.body);
				tokens.set(request, token);
				return { body: { scanner, token: null, pairingQr: null }, afterCommit: onChanged };
			});
			return reply;
		}
	);
	app.post(
		'/api/v1/scanners/:id/revoke',
		{ schema: { params: ById, body: ScannerRevocation, response: { 200: Scanner } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, async (tx) => ({
				body: await commands.revokeScanner(tx, account, request.params.id, request.body.reason),
				afterCommit: onChanged
			}));
			return reply;
		}
	);
}

function placeRoutes(app: StaffApp, { db, site, scope, record, commands }: StaffCalls): void {
	app.get('/api/v1/entries/places', { schema: { response: { 200: PlaceEntrySettingsList } } }, async () => {
		const stored = await listPlaceSettings(db, scope.season);
		return { places: site.places.map(({ id, name }) => withNames(stored.get(id) ?? defaultPlace(id), name)) };
	});
	app.put(
		'/api/v1/entries/places/:place',
		{ schema: { params: ByPlace, body: PlaceEntryRequest, response: { 200: PlaceEntrySettings } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, async (tx) => ({
				body: await commands.setPlace(tx, account, request.params.place, request.body)
			}));
			return reply;
		}
	);
}
