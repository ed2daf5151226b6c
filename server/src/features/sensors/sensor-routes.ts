import { Type } from 'typebox';
import { CredentialRequest, SensorsAnswer } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { saveCredential } from './credential-store.ts';
import { describeDevice } from './device.ts';
import { bridgeTopics, hashSecret } from './device-sign-in.ts';
import type { Ledger } from './ledger.ts';
import { sumFlows } from './sensor-store.ts';

const Time = Type.Integer({ minimum: 0, maximum: 8.64e15 });
const Query = Type.Object(
	{
		device: Type.Optional(Type.String({ maxLength: 64 })),
		from: Type.Optional(Time),
		to: Type.Optional(Time)
	},
	{ additionalProperties: false }
);
const DeviceParams = Type.Object({ device: Type.String({ maxLength: 64 }) });

/** GET /api/v1/sensors, and the secret that a device signs in with. */
export function sensorRoutes(
	app: StaffApp,
	deps: {
		site: string;
		ledger: Ledger;
		db: Db;
		clock: Clock;
		record: Pick<TheRecord, 'append' | 'runCommand'>;
		/** The ledger holds what was stored, where another instance counts. */
		refresh: () => Promise<void>;
	}
): void {
	const { ledger, clock, record } = deps;

	app.get(
		'/api/v1/sensors',
		{ schema: { querystring: Query, response: { 200: SensorsAnswer } } },
		async (request) => {
			const { device: wanted, from, to } = request.query;
			await deps.refresh();
			const now = clock.now();
			const period =
				from === undefined && to === undefined ? null : { from: from ?? 0, to: to ?? now + 60_000 };
			const totals = period && (await sumFlows(deps.db, deps.site, period));
			const devices = [...ledger.devices.values()].filter(
				({ name }) => wanted === undefined || name === wanted
			);
			const sensors = devices.map((device) =>
				describeDevice(device, now, totals ? (totals.get(device.name) ?? { in: 0, out: 0 }) : undefined)
			);
			return { sensors, summary: summarize(sensors, ledger.unknownDevices) };
		}
	);

	app.post(
		'/api/v1/sensors/:device/credential',
		{
			schema: {
				params: DeviceParams,
				body: CredentialRequest,
				response: { 200: Type.Object({ username: Type.String() }) }
			}
		},
		async (request, reply) => {
			const { device } = request.params;
			const known = ledger.devices.get(device);
			const isBridge = bridgeTopics(device) !== null;
			if ((!known && !isBridge) || !request.account) throw new AppError('no_such_device', { device });
			const actor = request.account.email;
			const { secret, reason } = request.body;
			await record.runCommand(request, reply, request.account.id, async (tx) => {
				const kind = known?.adapter === 'own' ? 'device' : 'bridge';
				await saveCredential(tx, device, { kind, secretSha256: hashSecret(secret) }, clock.now());
				await record.append(tx, { actor, action: 'sensor.credential', subject: device, reason });
				return { body: { username: device } };
			});
			return reply;
		}
	);
}

function summarize(
	sensors: SensorsAnswer['sensors'],
	unknown: ReadonlyMap<string, number>
): SensorsAnswer['summary'] {
	// What counts only when it speaks is there or not, but never missing.
	const inState = (state: string) =>
		sensors.filter((sensor) => sensor.state === state && (state === 'online' || !sensor.optional)).length;
	return {
		devices: sensors.length,
		online: inState('online'),
		offline: inState('offline'),
		stale: inState('stale'),
		never: inState('never'),
		readings: sensors.reduce((sum, { readings }) => sum + readings, 0),
		rejected: sensors.reduce(
			(sum, { rejects }) => sum + Object.values(rejects).reduce((a, b) => a + b, 0),
			0
		),
		unknownDevices: [...unknown].map(([device, messages]) => ({ device, messages }))
	};
}
