/**
 * Server clock minus this device's clock, in milliseconds. A message can only be late, never early, so the
 * greatest of the last few differences is the truest; a wall display's clock may be minutes off.
 */
export function createClockOffset(keep = 12) {
	const recent: number[] = [];
	return {
		note(serverAt: number, localNow: number): number {
			recent.push(serverAt - localNow);
			if (recent.length > keep) recent.shift();
			return Math.max(...recent);
		},
		forget() {
			recent.length = 0;
		}
	};
}
