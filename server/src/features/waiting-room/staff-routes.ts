import { ModeRequest, RateRequest, RoomSettings, type Account } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { RoomControl } from './room-control.ts';
import { setMode, setRate, type RoomKey } from './waiting-room-store.ts';

/** The duty manager's hand on the room: PUT /api/v1/queue/rate and /mode. */
export function staffQueueRoutes(
	app: StaffApp,
	{
		record,
		key,
		control,
		onChange
	}: { record: TheRecord; key: RoomKey; control: RoomControl; onChange: () => void }
): void {
	const who = (account: Account | null): Account => {
		if (!account) throw new AppError('not_signed_in');
		return account;
	};
	const schema = { response: { 200: RoomSettings } };
	app.put('/api/v1/queue/rate', { schema: { ...schema, body: RateRequest } }, async (request, reply) => {
		const account = who(request.account);
		const { perSecond, reason } = request.body;
		await record.runCommand(request, reply, account.id, async (tx) => {
			const before = await setRate(tx, key, perSecond);
			await record.append(tx, {
				actor: account.email,
				action: 'queue.rate',
				subject: key.room,
				reason,
				before: { perSecond: before },
				after: { perSecond }
			});
			return {
				body: { perSecond, mode: control.mode },
				afterCommit() {
					control.set({ ratePerSecond: perSecond, rateSource: 'manager' });
					onChange();
				}
			};
		});
		return reply;
	});
	app.put('/api/v1/queue/mode', { schema: { ...schema, body: ModeRequest } }, async (request, reply) => {
		const account = who(request.account);
		const { mode, reason } = request.body;
		await record.runCommand(request, reply, account.id, async (tx) => {
			const before = await setMode(tx, key, mode);
			await record.append(tx, {
				actor: account.email,
				action: 'queue.mode',
				subject: key.room,
				reason,
				before: { mode: before },
				after: { mode }
			});
			return {
				body: { perSecond: control.managerPerSecond, mode },
				afterCommit() {
					control.set({ mode });
					onChange();
				}
			};
		});
		return reply;
	});
}
