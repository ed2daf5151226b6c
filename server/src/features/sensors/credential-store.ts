import type { Db, Tx } from '../../platform/database/database.ts';

export interface StoredCredential {
	kind: 'device' | 'bridge';
	secretSha256: Buffer;
}

/** Gives a device a secret, in place of an earlier one. */
export async function saveCredential(
	tx: Tx,
	device: string,
	credential: StoredCredential,
	at: number
): Promise<void> {
	const row = { kind: credential.kind, secret_sha256: credential.secretSha256, created_at: new Date(at) };
	await tx
		.insertInto('device_credentials')
		.values({ device, ...row })
		.onConflict((conflict) => conflict.column('device').doUpdateSet(row))
		.execute();
}

export async function findCredential(db: Db, device: string): Promise<StoredCredential | undefined> {
	const row = await db
		.selectFrom('device_credentials')
		.selectAll()
		.where('device', '=', device)
		.executeTakeFirst();
	return row && { kind: row.kind, secretSha256: row.secret_sha256 };
}
