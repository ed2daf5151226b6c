import { calls } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Feature } from '../../platform/feature.ts';

/** Alarms. */
export function createAlarms(): Feature {
	return {
		name: 'alarms',
		staffRoutes(app) {
			for (const call of Object.keys(calls)) {
				const [method = '', url = ''] = call.split(' ');
				if (!/\/api\/v1\/alarms/.test(url)) continue;
				app.route({
					...{ method, url },
					handler: async () => {
						throw new AppError('not_ready');
					}
				});
			}
		}
	};
}
