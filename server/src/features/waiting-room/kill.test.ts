import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import type { Order, Promised } from './queue-process.fixture.ts';

const fixture = fileURLToPath(new URL('./queue-process.fixture.ts', import.meta.url));

/** A queue in a process of its own, and everything it has promised to anybody. */
function startProcess(url: string, room: string) {
	const child: ChildProcess = fork(fixture, [url, room], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	const heard: Promised[] = [];
	const listeners = new Set<() => void>();
	child.on('message', (message: Promised) => {
		heard.push(message);
		for (const listener of listeners) listener();
	});
	const until = (condition: () => boolean) =>
		new Promise<void>((resolve, reject) => {
			const look = () => {
				if (!condition()) return;
				listeners.delete(look);
				resolve();
			};
			listeners.add(look);
			child.once('exit', (code) => !condition() && reject(new Error(`the process ended with ${code}`)));
			look();
		});
	const of = <K extends Promised['kind']>(kind: K) =>
		heard.filter((m): m is Extract<Promised, { kind: K }> => m.kind === kind);
	return {
		of,
		until,
		order: (order: Order) => void child.send(order),
		async look(holders: string[]) {
			const before = of('looked').length;
			child.send({ look: holders } satisfies Order);
			await until(() => of('looked').length > before);
			return of('looked').at(-1)!;
		},
		async kill() {
			const gone = new Promise((resolve) => child.once('exit', resolve));
			child.kill('SIGKILL');
			await gone;
		}
	};
}

describe('kill -9 at any moment', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	it('keeps every promise over several kills, during joins and during releases, with 2,000 people', async () => {
		const people = Array.from({ length: 2_000 }, (_, i) => `holder ${i}`);
		const promisedPlace = new Map<string, number>();
		const promisedPass = new Map<number, number>();
		/** Everything said so far must still be true. */
		const keep = (process: ReturnType<typeof startProcess>) => {
			for (const { holder, number } of process.of('place')) {
				expect(promisedPlace.get(holder) ?? number).toBe(number);
				promisedPlace.set(holder, number);
			}
			for (const { number, claimedAt } of process.of('pass')) {
				expect(promisedPass.get(number) ?? claimedAt).toBe(claimedAt);
				promisedPass.set(number, claimedAt);
			}
		};
		const check = async (process: ReturnType<typeof startProcess>) => {
			const { places, issued } = await process.look(people);
			const found = new Map(places.map((place) => [place.holder, place]));
			for (const [holder, number] of promisedPlace) expect(found.get(holder)?.number).toBe(number);
			for (const [number, claimedAt] of promisedPass) {
				expect(places.find((place) => place.number === number)).toMatchObject({
					state: 'admitted',
					claimedAt
				});
			}
			expect(new Set(places.map((place) => place.number)).size).toBe(places.length);
			expect(issued).toBe(places.length);
		};

		// The kills fall after so many promises of a kind: in the middle of joins, then in the middle of releases.
		const plan: { rate: number; joins: number; until: 'place' | 'pass'; promises: number }[] = [
			{ rate: 0, joins: 2_000, until: 'place', promises: 1 },
			{ rate: 0, joins: 2_000, until: 'place', promises: 1_000 },
			{ rate: 200, joins: 2_000, until: 'pass', promises: 60 },
			{ rate: 400, joins: 2_000, until: 'pass', promises: 250 }
		];
		for (const step of plan) {
			const process = startProcess(test.url, 'kill');
			await process.until(() => process.of('ready').length > 0);
			await check(process);
			process.order({ rate: step.rate });
			process.order({ join: people.slice(0, step.joins) });
			await process.until(() => process.of(step.until).length >= step.promises);
			await process.kill();
			keep(process);
		}
		const last = startProcess(test.url, 'kill');
		await last.until(() => last.of('ready').length > 0);
		await check(last);
		last.order({ rate: 3_000 });
		last.order({ join: people });
		await last.until(() => last.of('pass').length >= 2_000);
		keep(last);
		await check(last);
		await last.kill();
		expect(promisedPlace.size).toBe(2_000);
		expect(promisedPass.size).toBe(2_000);
	}, 240_000);
});
