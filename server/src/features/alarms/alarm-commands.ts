import {
	claimGoneAfterMs,
	type Account,
	type Alarm,
	type AlarmEventKind,
	type LocalText
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { refuseOld } from '../../refuse-old.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import type { AlarmBoard } from './alarm-board.ts';
import {
	findNewest,
	insertEvents,
	lockAlarms,
	updateAlarm,
	type Scope,
	type WrittenAlarm
} from './alarm-store.ts';
import { ringsAgainAt } from './decide.ts';
import { isShelvable, type Definition, type PointId } from './model.ts';
import { showAlarm, showAsides } from './show.ts';
import { deleteAside, listAsides, saveAside } from './watch-store.ts';

export interface CommandDeps {
	clock: Clock;
	scope: Scope;
	record: Pick<Record, 'append'>;
	board: Pick<AlarmBoard, 'tell' | 'refresh'>;
	definitions: ReadonlyMap<string, Definition>;
	namesOf(point: PointId): LocalText;
}

type Sent = { sentAt?: number };

/** What people do with alarms, each within its transaction and on the record. */
export interface AlarmCommands {
	ack(tx: Tx, account: Account, id: string, request: Sent): Promise<CommandAnswer>;
	ackMany(tx: Tx, account: Account, request: Sent & { ids: string[] }): Promise<CommandAnswer>;
	confirm(tx: Tx, account: Account, id: string, request: Sent & { text: string }): Promise<CommandAnswer>;
	shelve(
		tx: Tx,
		account: Account,
		id: string,
		request: Sent & { minutes: number; reason: string }
	): Promise<CommandAnswer>;
	unshelve(tx: Tx, account: Account, id: string, request: Sent): Promise<CommandAnswer>;
	take(tx: Tx, account: Account, id: string, request: Sent & { reason?: string }): Promise<CommandAnswer>;
	release(tx: Tx, account: Account, id: string): Promise<CommandAnswer>;
	outOfService(
		tx: Tx,
		account: Account,
		request: { point: PointId; out: boolean; reason: string }
	): Promise<CommandAnswer>;
}

/** The number of an alarm in a path; what is no number is no alarm. */
export const toId = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : -1);

export function createAlarmCommands(deps: CommandDeps): AlarmCommands {
	const { clock, scope, record, board } = deps;

	const lock = async (tx: Tx, id: string): Promise<WrittenAlarm> => {
		const [alarm] = await lockAlarms(tx, scope, [toId(id)]);
		if (!alarm) throw new AppError('not_found', { alarm: id });
		return alarm;
	};
	const lockOpen = async (tx: Tx, id: string): Promise<WrittenAlarm> => {
		const alarm = await lock(tx, id);
		if (alarm.overAt !== null) throw new AppError('alarm_over', { alarm: id, overAt: alarm.overAt });
		return alarm;
	};
	const show = async (tx: Tx, alarm: WrittenAlarm): Promise<Alarm> =>
		showAlarm(alarm, { asides: await listAsides(tx, scope), chattering: new Set(), now: clock.now() });
	const finish = async (tx: Tx, alarm: WrittenAlarm): Promise<CommandAnswer> => {
		await board.tell(tx);
		return { body: { alarm: await show(tx, alarm) }, afterCommit: () => void board.refresh() };
	};
	const note = async (
		tx: Tx,
		account: Account,
		alarm: WrittenAlarm,
		what: { kind: AlarmEventKind; text?: string | null; before?: unknown; after?: unknown }
	) => {
		const { kind, text = null, before, after } = what;
		await insertEvents(tx, [[alarm, [{ at: clock.now(), kind, by: account.name, text }]]]);
		await record.append(tx, {
			...{ actor: account.email, action: `alarm.${kind}`, subject: `alarm:${alarm.id}`, reason: text },
			...{ before, after: { definition: alarm.point.definition, of: alarm.point.id, ...(after as object) } }
		});
	};
	const acknowledge = async (tx: Tx, account: Account, before: WrittenAlarm): Promise<WrittenAlarm> => {
		if (before.acknowledged) return before;
		const now = clock.now();
		const isOver = before.returnedAt !== null;
		const alarm: WrittenAlarm = {
			...before,
			acknowledged: { by: account.name, byId: account.id, at: now },
			...{ overAt: isOver ? now : null, ringsAgainAt: ringsAgainAt(before, now), escalation: null }
		};
		if (isOver) alarm.claim = null;
		await updateAlarm(tx, alarm);
		await note(tx, account, alarm, { kind: 'acknowledged' });
		if (isOver) await insertEvents(tx, [[alarm, [{ at: now, kind: 'over', by: account.name, text: null }]]]);
		return alarm;
	};

	return {
		async ack(tx, account, id, { sentAt }) {
			refuseOld(sentAt, clock.now());
			return finish(tx, await acknowledge(tx, account, await lockOpen(tx, id)));
		},

		async ackMany(tx, account, { ids, sentAt }) {
			refuseOld(sentAt, clock.now());
			const locked = await lockAlarms(tx, scope, [...new Set(ids.map(toId))]);
			const open = locked.filter(({ overAt }) => overAt === null);
			const done: Alarm[] = [];
			for (const alarm of open) done.push(await show(tx, await acknowledge(tx, account, alarm)));
			const openIds = new Set(open.map(({ id }) => String(id)));
			await board.tell(tx);
			return {
				body: { alarms: done, over: [...new Set(ids)].filter((id) => !openIds.has(id)) },
				afterCommit: () => void board.refresh()
			};
		},

		async confirm(tx, account, id, { text, sentAt }) {
			refuseOld(sentAt, clock.now());
			const alarm = await acknowledge(tx, account, await lockOpen(tx, id));
			alarm.confirmed = { by: account.name, byId: account.id, at: clock.now(), text: text.trim() };
			alarm.ringsAgainAt = null;
			await updateAlarm(tx, alarm);
			await note(tx, account, alarm, { kind: 'confirmed', text: text.trim() });
			return finish(tx, alarm);
		},

		async shelve(tx, account, id, { minutes, reason, sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			const alarm = await lockOpen(tx, id);
			if (!isShelvable(alarm)) throw new AppError('not_shelvable', { alarm: id });
			const until = now + minutes * 60_000;
			const by = { by: account.name, byId: account.id };
			await saveAside(tx, scope, {
				...{ point: alarm.point, how: 'shelved', names: alarm.shown.names, ...by, at: now, until },
				reason: reason.trim()
			});
			// Heard again when it comes back.
			alarm.annunciatedAt = null;
			await updateAlarm(tx, alarm);
			await note(tx, account, alarm, { kind: 'shelved', text: reason.trim(), after: { minutes, until } });
			return finish(tx, alarm);
		},

		async unshelve(tx, account, id, { sentAt }) {
			refuseOld(sentAt, clock.now());
			const alarm = await lock(tx, id);
			if (!(await deleteAside(tx, scope, alarm.point, 'shelved')))
				throw new AppError('not_shelved', { alarm: id });
			await note(tx, account, alarm, { kind: 'unshelved' });
			return finish(tx, alarm);
		},

		async take(tx, account, id, { reason, sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			const alarm = await lockOpen(tx, id);
			const holder = alarm.claim && {
				...alarm.claim,
				alive: now - alarm.claim.heartbeatAt <= claimGoneAfterMs
			};
			const others = holder !== null && holder.byId !== account.id;
			if (others && holder.alive && !reason?.trim()) throw new AppError('claim_held', { claim: holder });
			const at = holder && !others ? holder.at : now;
			alarm.claim = { by: account.name, byId: account.id, at, heartbeatAt: now };
			alarm.escalation = null;
			await updateAlarm(tx, alarm);
			await note(tx, account, alarm, {
				...{ kind: 'taken', text: reason?.trim() ?? null, after: { by: account.name } },
				before: holder && { by: holder.by, alive: holder.alive }
			});
			return finish(tx, alarm);
		},

		async release(tx, account, id) {
			const alarm = await lockOpen(tx, id);
			if (alarm.claim && alarm.claim.byId !== account.id)
				throw new AppError('claim_held', { claim: alarm.claim });
			alarm.claim = null;
			await updateAlarm(tx, alarm);
			await note(tx, account, alarm, { kind: 'released' });
			return finish(tx, alarm);
		},

		async outOfService(tx, account, { point, out, reason }) {
			if (!deps.definitions.has(point.definition))
				throw new AppError('no_such_definition', { definition: point.definition });
			const how = 'out-of-service';
			const now = clock.now();
			const by = { by: account.name, byId: account.id };
			const entry = { point, how, names: deps.namesOf(point), ...by, at: now, reason } as const;
			if (out) await saveAside(tx, scope, { ...entry, until: null });
			else if (!(await deleteAside(tx, scope, point, how))) throw new AppError('not_found');
			const newest = await findNewest(tx, scope, point);
			const [alarm] = newest === null ? [] : await lockAlarms(tx, scope, [newest]);
			if (alarm) {
				if (alarm.overAt === null) await updateAlarm(tx, { ...alarm, annunciatedAt: null });
				const kind = out ? 'out-of-service' : 'in-service';
				await insertEvents(tx, [[alarm, [{ at: now, kind, by: account.name, text: reason }]]]);
			}
			await record.append(tx, {
				...{ actor: account.email, action: out ? 'alarm.out-of-service' : 'alarm.in-service', reason },
				subject: `alarm-rule:${point.definition}:${point.id}`
			});
			await board.tell(tx);
			const context = {
				now,
				titleOf: (key: string) => deps.definitions.get(key)?.title ?? { ar: key, en: key }
			};
			const known = alarm ? [await show(tx, alarm)] : [];
			return {
				body: { aside: showAsides(await listAsides(tx, scope), known, context) },
				afterCommit: () => void board.refresh()
			};
		}
	};
}
