import { calls } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Feature } from '../../platform/feature.ts';

/** Teams, orders and incidents. */
export function createDispatch(): Feature {
	return {
		name: 'dispatch',
		staffRoutes(app) {
			for (const call of Object.keys(calls)) {
				const [method = '', url = ''] = call.split(' ');
				if (!/\/(teams|dispatches|incidents|handover|state-sheet)/.test(url)) continue;
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
