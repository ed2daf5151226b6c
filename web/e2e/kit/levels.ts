import type { RealServer } from './server.ts';
import type { Desk } from './staff.ts';

/** The step of a level on the ladder, its form's hold button, and the level in the thin bar. */
export const ladder = (desk: Desk, level: number) => desk.page.locator('.ladder button').nth(level);
export const holdButton = (desk: Desk) => desk.page.locator('.switch .go button.hold');
export const shownLevel = (desk: Desk) => desk.page.locator('.bar .level b');

/** Switches by a call from outside, past every screen. */
export async function switchByCall(
	server: RealServer,
	level: number,
	who = 'duty',
	reason = 'bookings slow'
): Promise<void> {
	const cookie = await server.signIn(who);
	const { body } = await server.call('GET', '/api/v1/levels', { cookie });
	const asked = { level, reason, expectedVersion: body.current.version };
	await server.call('POST', '/api/v1/levels/current', { cookie, body: asked });
}

/** Nothing is left of the test before: no level, no exercise, nothing that waits for a second person. */
export async function backToNormal(server: RealServer): Promise<void> {
	const cookie = await server.signIn('duty');
	const { body } = await server.call('GET', '/api/v1/levels', { cookie });
	if (body.proposal) {
		const withdraw = { withdraw: body.proposal.id };
		await server.call('POST', '/api/v1/levels/current', { cookie, body: withdraw });
	}
	if (body.current.level > 0) await switchByCall(server, 0);
}
