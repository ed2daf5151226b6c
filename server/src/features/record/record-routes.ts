import { Type } from 'typebox';
import { RecordPage } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { listEntries } from './record-store.ts';

const Query = Type.Object(
	{ since: Type.Optional(Type.Integer({ minimum: 0 })) },
	{ additionalProperties: false }
);

/** GET /api/v1/record: the one record, oldest first, a page at a time. */
export function recordRoutes(app: StaffApp, db: Db): void {
	app.get(
		'/api/v1/record',
		{ schema: { querystring: Query, response: { 200: RecordPage } } },
		async (request) => {
			const since = request.query.since ?? 0;
			const entries = await listEntries(db, since, limits.record.pageSize);
			return { entries, next: entries.at(-1)?.id ?? since };
		}
	);
}
