/** Longer than this nobody sits before a screen without touching anything. */
export const unattendedAfterMs = 15 * 60_000;

/**
 * Whether somebody may be there to have what was taken on this screen: a hidden tab, a phone in a pocket and a desk
 * that nobody has touched for long say nothing, so that another person may take over.
 */
export function isAttended(
	document: Pick<Document, 'visibilityState'>,
	lastTouchMs: number,
	nowMs: number
): boolean {
	return document.visibilityState === 'visible' && nowMs - lastTouchMs < unattendedAfterMs;
}
