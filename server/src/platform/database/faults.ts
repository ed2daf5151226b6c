/** SQLSTATE of what was given, where that and not the server is at fault: text no database holds, a number too large. */
const dataFaults = new Set(['22021', '22P05', '22003', '22P02', '22008']);

/** True when the database refused a value itself: the same again fails again. */
export function isDataFault(error: unknown): boolean {
	return error instanceof Error && dataFaults.has((error as Error & { code?: string }).code ?? '');
}
