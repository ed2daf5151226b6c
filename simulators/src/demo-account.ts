import { SimulatorError } from './session.ts';

/** The password of the demo's accounts. @throws SimulatorError without one */
export function readDemoPassword(): string {
	const password = process.env['DEMO_PASSWORD'];
	if (password) return password;
	throw new SimulatorError('DEMO_PASSWORD must name the password that the demo shows');
}

/** A reader at the other end of a pipe gets all of it before the process ends. */
export function writeOut(text: string): Promise<void> {
	return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
