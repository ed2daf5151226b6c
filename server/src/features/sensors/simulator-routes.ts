import { SimulatorSession, SimulatorSessionRequest } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Site } from '../site/index.ts';
import type { DeviceSignIn } from './device-sign-in.ts';

/**
 * POST /api/v1/simulators/session: how a simulator on this machine may write. Exists in demo and laboratory alone,
 * which listen on loopback alone.
 */
export function simulatorRoutes(
	app: StaffApp,
	deps: {
		site: Site;
		signIn: DeviceSignIn;
		mqttUrl: () => string;
		onCrowd: (present: Readonly<Record<string, number>>) => Promise<void>;
	}
): void {
	const { site, signIn } = deps;
	app.post(
		'/api/v1/simulators/session',
		{ schema: { body: SimulatorSessionRequest, response: { 200: SimulatorSession } } },
		async (request) => {
			if (!signIn.simulator) throw new AppError('only_laboratory');
			const { present } = request.body;
			if (present) await deps.onCrowd(present);
			const url = new URL(deps.mqttUrl());
			// An outside broker knows its own names: in a laboratory they stand in its address.
			const given = url.username
				? { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
				: null;
			url.username = '';
			url.password = '';
			return { site: site.id, mqttUrl: url.href, ...(given ?? signIn.simulator), siteFile: site.file };
		}
	);
}
