import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, PeopleApi, RawCall } from './people-api.ts';

/** What bots try. None of it may ever get anywhere. */
export const botKinds = [
	'no identity',
	'made-up identity',
	'junk join',
	'hammering status',
	'guessing tickets',
	'stale pass'
] as const;
export type BotKind = (typeof botKinds)[number];

/** What became of the bots' calls, by kind. */
export interface BotFigures {
	bots: number;
	/** Not let loose: too many were under way on this machine. */
	notStarted: number;
	calls: Record<BotKind, number>;
	/** Got a place, a pass, a permit or a word about somebody's place. */
	gotThrough: number;
	/** Refusals by code. */
	refused: Record<string, number>;
	/** Answers that are faults: 5xx other than 503. */
	faults: number;
	/** Broken connections, and calls that this machine could not send. */
	lost: number;
}

const callsOfOne = 5;
const pauseMs = 150;

const json = { 'content-type': 'application/json' };
const text = (bytes: number) => randomBytes(bytes).toString('base64url');
/** Has the shape of a ticket (`T`) or pass (`P`), and everything else made up. */
const madeUpToken = (kind: 'T' | 'P') => `${kind}1.${text(6)}.${text(kind === 'T' ? 15 : 21)}.${text(32)}`;
const madeUpBearer = () => `Bearer ${text(20)}.${text(60)}.${text(32)}`;

const junkJoins: readonly ((n: number) => Omit<RawCall, 'name' | 'method'>)[] = [
	() => ({ path: '/queue/join', body: '{"user":', headers: json }),
	(n) => ({ path: '/queue/join', body: JSON.stringify({ user: `bot-${n}`, party: 0 }), headers: json }),
	(n) => ({ path: '/queue/join', body: JSON.stringify({ user: `bot-${n}`, party: 99 }), headers: json }),
	() => ({ path: '/queue/join', body: JSON.stringify({ user: 'x'.repeat(500) }), headers: json }),
	() => ({ path: '/queue/join', body: JSON.stringify({ user: ['a', 'b'] }), headers: json }),
	() => ({ path: '/queue/join', body: JSON.stringify({ browserKey: 'short' }), headers: json }),
	() => ({ path: `/queue/join?user=a&user=b` })
];

/** The call that a bot makes next. */
export function botCall(kind: BotKind, n: number): RawCall {
	switch (kind) {
		case 'no identity':
			return { name: kind, method: 'POST', path: '/queue/join', body: '{}', headers: json };
		case 'made-up identity':
			return {
				...{ name: kind, method: 'POST', path: '/queue/join', body: '{}' },
				headers: { ...json, authorization: madeUpBearer() }
			};
		case 'junk join':
			return { name: kind, method: 'POST', ...junkJoins[n % junkJoins.length]!(n) };
		case 'hammering status':
			return { name: kind, method: 'GET', path: `/queue/status?user=bot-${n}&ticket=${n}` };
		case 'guessing tickets': {
			const body = JSON.stringify({ user: `bot-${n}`, ticket: madeUpToken('T') });
			return { name: kind, method: 'POST', path: '/queue/claim', body, headers: json };
		}
		case 'stale pass': {
			const body = JSON.stringify({ user: `bot-${n}`, slot: 1 + (n % 5), gated: 1 });
			const headers = { ...json, 'x-token': madeUpToken('P') };
			return { name: kind, method: 'POST', path: '/book', body, headers };
		}
	}
}

/** Bots that come, make their calls whatever they are told, and go. */
export function createBots(api: Pick<PeopleApi, 'raw'>) {
	const figures: BotFigures = {
		bots: 0,
		notStarted: 0,
		calls: Object.fromEntries(botKinds.map((kind) => [kind, 0])) as Record<BotKind, number>,
		gotThrough: 0,
		refused: {},
		faults: 0,
		lost: 0
	};
	const count = (answer: Answer<unknown>) => {
		if (answer.ok) figures.gotThrough += 1;
		else if (answer.lost !== null) figures.lost += 1;
		else {
			if (answer.status >= 500 && answer.status !== 503) figures.faults += 1;
			const code = answer.problem.code ?? `http ${answer.status}`;
			figures.refused[code] = (figures.refused[code] ?? 0) + 1;
		}
	};
	return {
		/** One bot from coming to going. Resolves early when stopped. */
		async live(signal: AbortSignal): Promise<void> {
			const n = figures.bots++;
			const kind = botKinds[n % botKinds.length]!;
			for (let call = 0; call < callsOfOne && !signal.aborted; call++) {
				figures.calls[kind] += 1;
				count(await api.raw(botCall(kind, n * callsOfOne + call)));
				await delay(pauseMs, undefined, { signal }).catch(() => undefined);
			}
		},
		skip: () => void (figures.notStarted += 1),
		figures: (): BotFigures => structuredClone(figures)
	};
}
