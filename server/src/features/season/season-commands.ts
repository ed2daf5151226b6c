import { randomUUID } from 'node:crypto';
import {
	announcedMonths,
	sightingFault,
	type Account,
	type DutyRequest,
	type FreezeRequest,
	type OrderRequest,
	type SightingRequest,
	type SpikeRequest
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { People } from '../people/index.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import {
	checkDate,
	checkPlace,
	checkSpan,
	checkSpike,
	isUsed,
	roleOfSeat,
	type CheckContext
} from './check-entry.ts';
import type { SeasonBoard } from './season-board.ts';
import {
	decideSighting,
	findEntry,
	insertEntry,
	insertSighting,
	lockSeason,
	updateEntry,
	type Scope
} from './season-store.ts';
import { calendarsOf, showSighting } from './show-plan.ts';
import type { SiteClock } from './spike-times.ts';
import type { EntryKind, EntryOf, StoredEntry, StoredPlan } from './stored.ts';

export interface CommandDeps extends SiteClock {
	clock: Clock;
	scope: Scope;
	record: Pick<Record, 'append'>;
	people: Pick<People, 'holdsRole' | 'peopleOfRole'>;
	board: Pick<SeasonBoard, 'read' | 'tell' | 'refresh'>;
	places: ReadonlySet<string>;
}

interface Requests {
	spike: SpikeRequest;
	freeze: FreezeRequest;
	order: OrderRequest;
	duty: DutyRequest;
}

/** Makes, changes or retires one line of the plan, in the transaction of its command. */
export async function saveEntry<K extends EntryKind>(
	deps: CommandDeps,
	tx: Tx,
	account: Account,
	wanted: { kind: K; id: string | null; request: Requests[K] }
): Promise<CommandAnswer> {
	const { kind } = wanted;
	const { reason, expectedVersion, retired = false, ...fields } = wanted.request;
	await lockSeason(tx, deps.scope);
	const { stored } = await deps.board.read(tx);
	const before = wanted.id === null ? null : await findForChange(tx, deps, kind, wanted.id, expectedVersion);
	if (retired && kind === 'spike' && before && isUsed(before.id, stored)) throw new AppError('spike_in_use');
	const body = retired && before ? before.body : await readBody(deps, stored, kind, fields as Requests[K]);
	if (!before && stored.entries.filter((entry) => entry.kind === kind).length >= limits.season.entriesMax)
		throw new AppError('busy', { entries: limits.season.entriesMax });
	const entry = {
		...{ id: before?.id ?? randomUUID(), kind, version: (before?.version ?? 0) + 1, body },
		...{ by: account.name, at: deps.clock.now() }
	} as StoredEntry;
	if (before) await updateEntry(tx, entry, retired);
	else await insertEntry(tx, deps.scope, entry);
	const deed = retired ? 'retire' : before ? 'change' : 'plan';
	await deps.record.append(tx, {
		...{ actor: account.email, action: `season.${kind}.${deed}`, subject: `${kind}:${entry.id}`, reason },
		...{ before: before?.body ?? null, after: retired ? null : body }
	});
	return answer(deps, tx, entry.id, before ? 200 : 201);
}

async function findForChange<K extends EntryKind>(
	tx: Tx,
	deps: CommandDeps,
	kind: K,
	id: string,
	expectedVersion: number | undefined
): Promise<EntryOf<K>> {
	if (expectedVersion === undefined) throw new AppError('version_missing');
	const entry = await findEntry(tx, deps.scope, kind, id);
	if (!entry) throw new AppError('not_found', { id });
	if (entry.version !== expectedVersion) throw new AppError('version_changed', { version: entry.version });
	return entry as EntryOf<K>;
}

/** The line as it is stored. @throws AppError what is wrong with it */
async function readBody(
	deps: CommandDeps,
	stored: StoredPlan,
	kind: EntryKind,
	fields: object
): Promise<StoredEntry['body']> {
	const context: CheckContext = { ...deps, stored, calendar: calendarsOf(stored.sightings).inForce };
	if (kind === 'spike') {
		const spike = fields as EntryOf<'spike'>['body'];
		checkSpike(spike, context);
		return spike;
	}
	const line = fields as EntryOf<'freeze' | 'order' | 'duty'>['body'];
	checkSpan(line.span, context);
	if ('signedOn' in line) {
		checkDate(line.signedOn);
		checkPlace(line.place, deps.places);
	}
	if (!('seat' in line)) return line;
	const people = await deps.people.peopleOfRole(roleOfSeat[line.seat]);
	const person = people.find(({ id }) => id === line.account);
	if (!person) throw new AppError('not_of_seat', { seat: line.seat });
	return { ...line, name: person.name };
}

/** A month was announced: tentative, and nothing moves, until another person confirms it. */
export async function announce(
	deps: CommandDeps,
	tx: Tx,
	account: Account,
	request: SightingRequest
): Promise<CommandAnswer> {
	const { scope, record, clock } = deps;
	await lockSeason(tx, scope);
	const { stored } = await deps.board.read(tx);
	refuseImpossible(request, stored);
	const open = stored.sightings.find((other) => other.state === 'tentative' && isSameMonth(other, request));
	const at = clock.now();
	if (open) await decide(tx, open.id, 'replaced', account, at, request.reason);
	const id = randomUUID();
	await insertSighting(tx, scope, {
		...{ ...request, id, state: 'tentative', by: account.name, byId: account.id, at },
		...{ decidedBy: null, decidedAt: null, decidedReason: null }
	});
	const { reason, ...after } = request;
	await record.append(tx, {
		...{ actor: account.email, action: 'season.sighting.announce', subject: `sighting:${id}`, reason },
		...{ before: open ? { replaced: open.id, firstDay: open.firstDay } : null, after }
	});
	return answer(deps, tx, id, 201);
}

/** The second person: from now on the month, and everything that hangs on it, goes by what was announced. */
export async function confirmSighting(
	deps: CommandDeps,
	tx: Tx,
	account: Account,
	{ id, reason }: { id: string; reason: string }
): Promise<CommandAnswer> {
	await lockSeason(tx, deps.scope);
	const { stored, plan } = await deps.board.read(tx);
	const open = findOpen(stored, id);
	if (open.byId === account.id) throw new AppError('second_person_needed');
	// Who announced it may have lost the role since: then only one person stands behind it.
	const stillMay = async () =>
		(await deps.people.holdsRole(tx, open.byId, 'duty-manager')) ||
		(await deps.people.holdsRole(tx, open.byId, 'administrator'));
	if (!(await stillMay())) throw new AppError('sighting_gone');
	refuseImpossible(open, stored);
	const at = deps.clock.now();
	const standing = stored.sightings.find((other) => other.state === 'confirmed' && isSameMonth(other, open));
	if (standing) await decide(tx, standing.id, 'replaced', account, at, reason);
	await decide(tx, id, 'confirmed', account, at, reason);
	const after = await deps.board.read(tx);
	const moved = after.plan.spikes.flatMap((spike) => {
		const old = plan.spikes.find((other) => other.id === spike.id);
		return old && old.startsAt !== spike.startsAt
			? [{ spike: spike.id, from: isoOf(old.startsAt), to: isoOf(spike.startsAt) }]
			: [];
	});
	const shown = showSighting(open);
	await deps.record.append(tx, {
		...{ actor: account.email, action: 'season.sighting.confirm', subject: `sighting:${id}`, reason },
		before: { firstDay: standing?.firstDay ?? shown.calculated, announcedBy: open.by },
		after: { year: open.year, month: open.month, firstDay: open.firstDay, moved }
	});
	return answer(deps, tx, id);
}

export async function withdrawSighting(
	deps: CommandDeps,
	tx: Tx,
	account: Account,
	{ id, reason }: { id: string; reason: string }
): Promise<CommandAnswer> {
	await lockSeason(tx, deps.scope);
	const { stored } = await deps.board.read(tx);
	const open = findOpen(stored, id);
	await decide(tx, id, 'withdrawn', account, deps.clock.now(), reason);
	await deps.record.append(tx, {
		...{ actor: account.email, action: 'season.sighting.withdraw', subject: `sighting:${id}`, reason },
		before: { year: open.year, month: open.month, firstDay: open.firstDay }
	});
	return answer(deps, tx, id);
}

const isSameMonth = (a: { year: number; month: number }, b: { year: number; month: number }) =>
	a.year === b.year && a.month === b.month;
const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function refuseImpossible(
	wanted: { year: number; month: number; firstDay: string },
	stored: StoredPlan
): void {
	const fault = sightingFault(wanted, announcedMonths(stored.sightings.map(showSighting)));
	if (fault) throw new AppError('sighting_impossible', { fault });
}

function findOpen(stored: StoredPlan, id: string) {
	const open = stored.sightings.find((sighting) => sighting.id === id && sighting.state === 'tentative');
	if (!open) throw new AppError('sighting_gone');
	return open;
}

const decide = (
	tx: Tx,
	id: string,
	state: 'confirmed' | 'withdrawn' | 'replaced',
	account: Account,
	at: number,
	reason: string
) => decideSighting(tx, id, { state, byId: account.id, by: account.name, at, reason });

async function answer(
	{ board }: CommandDeps,
	tx: Tx,
	id: string,
	status: 200 | 201 = 200
): Promise<CommandAnswer> {
	await board.tell(tx);
	const { plan } = await board.read(tx);
	return { status, body: { id, plan }, afterCommit: board.refresh };
}
