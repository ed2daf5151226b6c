import { FlagsRestoreRequest, LevelsState } from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { refuseOld } from '../../refuse-old.ts';
import type { Record } from '../record/index.ts';
import type { UnleashMirror } from './unleash-mirror.ts';

/** POST /api/v1/levels/flags/restore: what has drifted in Unleash is written there again, as one line in the record. */
export function restoreRoute(
	app: StaffApp,
	deps: {
		clock: Pick<Clock, 'now'>;
		record: Pick<Record, 'append' | 'runCommand'>;
		mirror: Pick<UnleashMirror, 'restore' | 'look'>;
		state(): LevelsState;
	}
): void {
	app.post(
		'/api/v1/levels/flags/restore',
		{ schema: { body: FlagsRestoreRequest, response: { 200: LevelsState } } },
		async (request, reply) => {
			const account = request.account!;
			refuseOld(request.body.sentAt, deps.clock.now());
			await deps.record.runCommand(request, reply, account.id, async (tx) => {
				const drift = await deps.mirror.restore(tx);
				// Somebody was faster, or there it was mended by hand: nothing is left to say.
				if (drift.length > 0) {
					await deps.record.append(tx, {
						actor: account.email,
						action: 'flags.restore',
						subject: 'flags',
						reason: request.body.reason.trim(),
						before: Object.fromEntries(drift.map(({ flag, there }) => [flag, there])),
						after: Object.fromEntries(drift.map(({ flag, here }) => [flag, here]))
					});
				}
				return { body: deps.state(), afterCommit: deps.mirror.look };
			});
			return reply;
		}
	);
}
