import { calls } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Feature } from '../../platform/feature.ts';

/** Gates, and stop and evacuate. */
export function createGates(): Feature {
	return {
		name: 'gates',
		staffRoutes(app) {
			for (const call of Object.keys(calls)) {
				const [method = '', url = ''] = call.split(' ');
				if (!/\/api\/v1\/(gates|evacuation)/.test(url)) continue;
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
