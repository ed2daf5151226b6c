import { PreviewAnswer, PreviewRequest } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Claim } from './claims.ts';
import { previewPayload } from './preview.ts';

/** POST /api/v1/sensors/preview: how a pasted payload would be read. A question, not a command: nothing changes. */
export function previewRoutes(
	app: StaffApp,
	deps: { site: string; claims: ReadonlyMap<string, Claim>; clock: Clock }
): void {
	app.post(
		'/api/v1/sensors/preview',
		{
			bodyLimit: limits.readings.previewBytes,
			schema: { body: PreviewRequest, response: { 200: PreviewAnswer } }
		},
		async (request) => {
			const claim = request.body.device === undefined ? undefined : deps.claims.get(request.body.device);
			return previewPayload(request.body, { site: deps.site, claim, receivedAt: deps.clock.now() });
		}
	);
}
