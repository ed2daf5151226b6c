import { io, type Socket } from 'socket.io-client';
import type { Account, Alarm, AlarmSummary, Patch, Snapshot } from '../../../contract/index.ts';
import { createLog, createTestClock } from '../../../test/kit/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { createHub } from '../../platform/realtime/hub.ts';
import { createRecord } from '../record/index.ts';
import { createAlarmBoard } from './alarm-board.ts';
import { createAlarmCommands } from './alarm-commands.ts';
import { houseDefinitions } from './definitions.ts';
import { createEvaluator } from './evaluator.ts';
import { pointKey, type Condition, type Definition } from './model.ts';

/** A screen that watches the topic `alarms`, as the web does. */
export interface Screen {
	state: Map<string, unknown>;
	close(): void;
}

export async function openScreen(url: string, cookie: string): Promise<Screen> {
	const socket: Socket = io(`${url}/live`, {
		...{ transports: ['websocket'], extraHeaders: { cookie }, reconnection: false, forceNew: true }
	});
	const state = new Map<string, unknown>();
	socket.on('patch', ({ changes }: Patch) => {
		for (const [key, value] of Object.entries(changes)) {
			if (value === null) state.delete(key);
			else state.set(key, value);
		}
	});
	await new Promise<void>((resolve, reject) => {
		socket.once('snapshot', (snapshot: Snapshot) => {
			for (const [key, value] of Object.entries(snapshot.state)) state.set(key, value);
			resolve();
		});
		socket.once('connect_error', reject);
		socket.emit('subscribe', 'alarms', (answer: { ok: boolean; code?: string }) => {
			if (!answer.ok) reject(new Error(`refused: ${answer.code}`));
		});
	});
	return { state, close: () => socket.close() };
}

export const account = (name: string) =>
	({ id: `id-${name}`, name, email: `${name}@example.org`, role: 'crowd-controller' }) as Account;

const names = { ar: 'ساحة', en: 'Yard' };

/** Rules and hands on a real store, with the clock of the test; what is true is said by hand. */
export function createHouse(db: Db, clock = createTestClock()) {
	const log = createLog('silent');
	// A season of its own: what other tests left in the store is not of it.
	const scope = { season: crypto.randomUUID(), site: 'yard' };
	const definitions = new Map<string, Definition>(houseDefinitions.map((one) => [one.key, one]));
	const record = createRecord({ db, clock });
	const board = createAlarmBoard({
		...{ db, clock, log, hub: createHub(clock), notices: undefined, scope, mark: 'simulated' },
		titleOf: () => names
	});
	const said = new Map<string, Condition>();
	const past = new Set<string>();
	const build = () =>
		createEvaluator({
			...{ db, clock, log, scope, definitions, record },
			conditions: () => [...said.values()],
			isPast: ({ id }) => past.has(id),
			check: async () => undefined,
			tell: async () => undefined,
			onWritten: async () => undefined,
			onRing: () => undefined
		});
	let evaluator = build();
	const commands = createAlarmCommands({
		...{ clock, scope, record, board, definitions },
		namesOf: () => names
	});

	const say = (definition: string, id: string, level: number | null, value: number | null = level) => {
		const kind = definitions.get(definition)!.kind;
		const condition: Condition = {
			...{ definition, kind, id, level, value, limit: 1, unit: 'people', names, zone: id },
			...{ quality: level === null ? 'unknown' : 'live', mark: 'simulated' }
		};
		said.set(pointKey(condition), condition);
		return condition;
	};
	const look = async () => {
		await evaluator.look();
		return board.read();
	};
	return {
		clock,
		commands,
		definitions,
		board,
		said,
		past,
		say,
		look,
		scope,
		/** So many seconds, one look each. */
		async pass(seconds: number) {
			for (let second = 0; second < seconds; second++) {
				clock.advance(1_000);
				await evaluator.look();
			}
			return board.read();
		},
		/** The process dies and another one comes: only the store is left. */
		restart: () => void (evaluator = build()),
		run: <T>(action: (tx: Tx) => Promise<T>) => db.transaction().execute(action)
	};
}

export const one = (alarms: readonly Alarm[]): Alarm => {
	if (alarms.length !== 1) throw new Error(`${alarms.length} alarms stand, not one`);
	return alarms[0]!;
};
export const counts = ({ active }: AlarmSummary) => Object.values(active).reduce((a, b) => a + b, 0);
