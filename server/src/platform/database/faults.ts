/** SQLSTATE of what was given, where that and not the server is at fault: text no database holds, a number too large. */
const dataFaults = new Set(['22021', '22P05', '22003', '22P02', '22008']);

/** True when the database refused a value itself: the same again fails again. */
export function isDataFault(error: unknown): boolean {
	return error instanceof Error && dataFaults.has((error as Error & { code?: string }).code ?? '');
}

/** True when the database is there and takes nobody yet: it starts, or recovers after a crash (57P03). */
export function isStillStarting(error: unknown): boolean {
	return error instanceof Error && (error as Error & { code?: string }).code === '57P03';
}
