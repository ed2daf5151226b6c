import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';

export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

/** Device tokens, as an administrator gives one to each wall. The server must have made its tables. */
export function addScreens(url: string, count: number): Promise<string[]> {
	return withDatabase(url, async (client) => {
		const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
		for (const token of tokens) {
			await client.query('insert into device_tokens values ($1, $2, $3, $4, now())', [
				createHash('sha256').update(token).digest('hex'),
				...[randomUUID(), 'screen', 'viewer']
			]);
		}
		return tokens;
	});
}
