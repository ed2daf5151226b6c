import { readFileSync } from 'node:fs';
import {
	defaultDrillGuard,
	errorCodes,
	protectedFeatures,
	switchableFlags,
	type Account,
	type Drill,
	type ErrorCode,
	type LevelFigures,
	type LevelPreview,
	type LevelRule,
	type LevelRulesNow,
	type LevelsFile,
	type LevelsState,
	type RuleEvidence,
	type RuleProposal,
	type SettledProposal
} from '@marsad/server/contract';
import { byHand, sampleLevels } from './samples.ts';

/** The levels of the fixture server: the file that comes with the product, and every state a screen must show. */
export const levelScenes = [
	'plain',
	'proposal',
	'down',
	'until',
	'over',
	'forgotten',
	'waiting',
	'drill',
	'drift',
	'blind',
	'glass',
	'undo'
] as const;
export type LevelScene = (typeof levelScenes)[number];
export interface Answer {
	status: number;
	body: unknown;
}
type Body = Record<string, unknown>;

const file = JSON.parse(
	readFileSync(new URL('../../server/levels/default.json', import.meta.url), 'utf8')
) as LevelsFile;
const off = (level: number) => new Set(file.levels.slice(0, level + 1).flatMap((entry) => entry.off));
const flagsAt = (level: number) =>
	Object.fromEntries(Object.keys(switchableFlags).map((flag) => [flag, !off(level).has(flag)]));

function drillOf(change: Partial<Drill>): Drill {
	return {
		...{ id: 'd1', level: 1, from: 0, startedAt: 0, endsAt: 0, by: 'Duty manager', reason: 'season opening' },
		...{ guard: defaultDrillGuard, endedAt: null, outcome: null, endedBy: null, effect: null },
		...change
	};
}

function drillsAt(now: number): Drill[] {
	const nineDays = now - 9 * 86_400_000;
	const span = { from: nineDays, to: nineDays + 300_000 };
	return [
		drillOf({
			...{ id: 'd2', level: 2, startedAt: nineDays, endedAt: nineDays + 300_000, outcome: 'completed' },
			effect: {
				before: span,
				during: span,
				figures: [
					{ name: 'p95Ms', before: 2_410, during: 940 },
					{ name: 'workRatio', before: 0.88, during: 1.05 },
					{ name: 'admittedPerSecond', before: 250, during: 150 },
					{ name: 'pollsPerSecond', before: 410, during: 205 },
					{ name: 'depth', before: 84_310, during: 86_900 },
					{ name: 'poolInUse', before: 38, during: 21 },
					{ name: 'loopP99Ms', before: null, during: 18 }
				]
			}
		}),
		drillOf({
			...{ id: 'd1', level: 1, startedAt: nineDays - 900_000, endedAt: nineDays - 840_000 },
			...{ outcome: 'guard', endedBy: 'p95' }
		})
	];
}

function stateAt(now: number, level: number): LevelsState {
	return sampleLevels({
		current: {
			...{
				level,
				version: 7,
				since: now - 1_140_000,
				by: 'Duty manager',
				reason: 'opening of the 27th night'
			},
			...byHand,
			...{ chips: ['planned'], from: 0 }
		},
		levels: file.levels,
		switches: (file.switches ?? []).map((each) => ({
			...each,
			level: file.levels.find((entry) => entry.off.includes(each.flag))?.level ?? null
		})),
		rules: file.rules,
		flags: flagsAt(level),
		protectedFeatures: [...protectedFeatures],
		lastDrills: drillsAt(now),
		instances: ['a1b2c3d4', 'b2c3d4e5', 'c3d4e5f6'].map((id) => ({ id, version: 7, level, at: now })),
		unleash: { state: 'in-step', at: now - 2_000, drift: [], pending: 0, writing: 'ok' },
		follows: { by: 'notice', at: now },
		history: Array.from({ length: 9 }, (_, i) => ({
			...{
				at: now - 1_140_000 - i * 5_400_000,
				level: i % 3 === 0 ? 1 : i % 3 === 1 ? 0 : 2,
				version: 7 - i
			},
			...{ by: i === 4 ? null : 'Duty manager', reason: i % 2 === 0 ? 'opening of the 27th night' : '' },
			...{ source: i === 2 ? 'drill' : i === 1 ? 'drill-end' : i === 5 ? 'break-glass' : 'hand' },
			...{ chips: i === 0 ? ['planned'] : [], exercise: i === 2 }
		})) as LevelsState['history']
	});
}

function evidenceOf(rule: LevelRule, now: number, isUp: boolean): RuleEvidence {
	const at = Array.from({ length: 120 }, (_, i) => now - 600_000 + i * 5_000);
	const worth = (i: number) => {
		if (i > 40 && i < 46) return null;
		const high = rule.threshold * 1.15 + Math.sin(i * 1.7) * rule.threshold * 0.04;
		const low = rule.clear * 0.7 + Math.sin(i * 1.3) * rule.clear * 0.05;
		const share = Math.min(1, Math.max(0, (i - 35) / 25));
		return isUp ? low + (high - low) * share : high + (low - high) * share;
	};
	const values = at.map((_, i) => worth(i));
	return {
		...{ rule: `${rule.signal}:${rule.level}`, signal: rule.signal, op: rule.op, threshold: rule.threshold },
		...{ forSeconds: rule.forSeconds, clear: rule.clear, clearForSeconds: rule.clearForSeconds },
		...{ value: values.at(-1)!, at: now, since: now - 305_000, series: { stepSeconds: 5, at, values } }
	};
}

const figuresAt = (now: number): LevelFigures => ({
	...{ at: now - 1_000, quality: 'live', p95Ms: 2_310, workRatio: 0.88, offered: 9_000, served: 7_920 },
	...{ joined: 60_000, admitted: 15_000, depth: 84_310, called: 1_200, active: 1_930 },
	...{ ratePerSecond: 250, pollsPerSecond: 412 }
});

function proposalAt(now: number, change: Partial<RuleProposal>): RuleProposal {
	const rule = file.rules[0]!;
	return {
		...{
			id: 'rp1',
			direction: 'up',
			why: 'rule',
			rule: 'booking-p95-ms:2',
			from: 1,
			level: 2,
			at: now - 40_000
		},
		...{ expiresAt: now + 860_000, expectedVersion: 7, evidence: [evidenceOf(rule, now - 40_000, true)] },
		figures: figuresAt(now),
		...change
	};
}

/** The state of one scene. */
export function levelsOf(scene: LevelScene, now: number): LevelsState {
	const plain = stateAt(now, scene === 'plain' || scene === 'proposal' || scene === 'drift' ? 1 : 2);
	const { current } = plain;
	const person = { by: 'Duty manager', byId: 'duty', reason: 'database pool full since 21:11' };
	switch (scene) {
		case 'proposal':
			return { ...plain, ruleProposal: proposalAt(now, {}) };
		case 'down': {
			const evidence = [evidenceOf(file.rules[0]!, now, false)];
			return {
				...plain,
				ruleProposal: proposalAt(now, { direction: 'down', from: 2, level: 0, rule: null, evidence })
			};
		}
		case 'over': {
			const passed = {
				why: 'until',
				direction: 'down',
				rule: null,
				evidence: [],
				from: 2,
				level: 1
			} as const;
			return {
				...plain,
				current: { ...current, until: now - 720_000 },
				ruleProposal: proposalAt(now, { ...passed, evidence: [] })
			};
		}
		case 'until':
			return { ...plain, current: { ...current, until: now + 5_340_000 } };
		case 'forgotten':
			return {
				...plain,
				current: { ...current, since: now - 9_000_000 },
				levels: plain.levels.map((entry) => ({ ...entry, forgottenAfterMinutes: 120 }))
			};
		case 'waiting':
			return {
				...plain,
				proposal: {
					...{ id: 'p1', level: 3, ...person, at: now - 50_000, expiresAt: now + 250_000 },
					...{ chips: ['database'], until: now + 3_600_000, drill: null, ruleProposal: null }
				}
			};
		case 'drill':
			return {
				...plain,
				current: { ...current, source: 'drill', exercise: true, from: 1, since: now - 80_000 },
				drill: drillOf({ id: 'd3', level: 2, from: 1, startedAt: now - 80_000, endsAt: now + 220_000 })
			};
		case 'drift':
			return {
				...plain,
				instances: plain.instances.map((each, i) => (i === 1 ? { ...each, version: 6, level: 0 } : each)),
				unleash: {
					...{ state: 'in-step', at: now - 2_000, pending: 0, writing: 'ok' },
					drift: [
						{ flag: 'history', here: true, there: false, since: now - 34_000, acts: true },
						{ flag: 'images', here: false, there: true, since: now - 34_000, acts: false }
					]
				}
			};
		case 'blind':
			return {
				...plain,
				unleash: { state: 'unreachable', at: now - 95_000 },
				follows: { by: 'poll', at: now }
			};
		case 'glass':
			return { ...plain, current: { ...current, level: 3, source: 'break-glass', since: now - 20_000 } };
		case 'undo':
			return { ...plain, undo: { version: 7, level: 1, until: now + 45_000 } };
		default:
			return plain;
	}
}

/** How the rules stand in a scene. */
export function rulesOf(scene: LevelScene, now: number): LevelRulesNow {
	const states = {
		plain: 'pending',
		proposal: 'tripped',
		down: 'cleared',
		drill: 'settling',
		blind: 'blind'
	};
	const first = (states as Record<string, string>)[scene] ?? 'clearing';
	const rest = ['quiet', scene === 'glass' ? 'muted' : 'no-inflow'];
	return {
		at: scene === 'blind' ? now - 1_000 : now,
		rules: file.rules.map((rule, i) => {
			const state = (
				i === 0 ? first : rest[(i - 1) % rest.length]
			) as LevelRulesNow['rules'][number]['state'];
			const isBlind = state === 'blind';
			return {
				...{ rule: `${rule.signal}:${rule.level}`, signal: rule.signal, level: rule.level, mode: rule.mode },
				...{ state, value: isBlind || state === 'no-inflow' ? null : rule.op === 'above' ? 2_260 : 0.97 },
				...{ quality: isBlind ? 'unknown' : 'live', since: now - 190_000, heldSeconds: 190 },
				...{ neededSeconds: rule.forSeconds, quietUntil: i === 2 ? now + 400_000 : null }
			};
		}),
		blind: scene === 'blind' ? ['booking-p95-ms'] : [],
		settlingUntil: scene === 'drill' ? now + 40_000 : null,
		mark: 'simulated'
	};
}

export function previewOf(state: LevelsState, level: number, now: number): LevelPreview {
	const figures = figuresAt(now);
	return {
		...{ from: state.current.level, level, expectedVersion: state.current.version, mayPress: true },
		...{ needsSecondPerson: level >= 3, notice: file.levels[level]!.notice, goesOff: [], comesBack: [] },
		...{ rateCapBefore: null, rateCapAfter: file.levels[level]!.rateCap ?? null },
		protectedFeatures: [...protectedFeatures],
		...{ figures, people: figures.depth + figures.called + figures.active },
		...{ ruleProposal: state.ruleProposal, lastDrill: null, mark: 'simulated' }
	};
}

export function settledAt(now: number): SettledProposal[] {
	const base = proposalAt(now - 7_200_000, { id: 's1' });
	const put = { outcome: 'put-off', by: 'Duty manager', settledAt: now - 7_000_000 } as const;
	return [
		{ ...base, ...put, reason: 'a test of the provider, over in ten minutes', quietUntil: now - 6_400_000 },
		{
			...base,
			id: 's2',
			outcome: 'cleared',
			by: null,
			settledAt: now - 9_000_000,
			reason: null,
			quietUntil: null
		}
	];
}

export const drillsOf = (now: number) => ({ drills: drillsAt(now) });

const refusal = (code: ErrorCode, status: number, more: object = {}): Answer => ({
	status,
	body: { type: 'about:blank', status, code, error: code, title: code, ...more }
});

/** Answers a command; `put` takes the state it makes. */
export function commandLevels(
	state: LevelsState,
	put: (next: LevelsState) => void,
	asked: { account: Account; path: string; body: Body; isFaster: boolean }
): Answer {
	const { account, path, body, isFaster } = asked;
	const now = Date.now();
	const done = (next: LevelsState, status = 200): Answer => {
		put(next);
		return { status, body: next };
	};
	if (path.endsWith('/put-off')) return done({ ...state, ruleProposal: null });
	if (path.endsWith('/end')) return done({ ...stateAt(now, 1), drill: null });
	if (path.endsWith('/flags/restore'))
		return done({ ...state, unleash: { ...state.unleash, drift: [], pending: 0 } });
	if (path.endsWith('/drills'))
		return refusal('drill_not_now', errorCodes.drill_not_now.status, {
			...{ why: 'p95', figures: figuresAt(now), guard: body['guard'] ?? defaultDrillGuard }
		});
	if (typeof body['withdraw'] === 'string') return done({ ...state, proposal: null });
	const switched = (level: number, by: string, reason: string, source: 'hand' | 'break-glass' | 'undo') => {
		const version = state.current.version + 1;
		const facts = { source, chips: (body['chips'] ?? []) as [], exercise: false };
		return {
			...stateAt(now, level),
			current: {
				...{ level, version, since: now, by, reason, ...byHand, ...facts, from: state.current.level },
				until: (body['until'] as number | undefined) ?? null
			},
			undo: source === 'undo' ? null : { version, level: state.current.level, until: now + 60_000 },
			instances: state.instances.map((each) => ({ ...each, version, level, at: now })),
			history: [{ at: now, level, by, reason, version, ...facts }, ...state.history]
		};
	};
	if (typeof body['confirm'] === 'string') {
		const open = state.proposal;
		if (!open) return refusal('proposal_gone', 410);
		if (open.byId === account.id) return refusal('second_person_needed', 403);
		return done(switched(open.level, `${open.by}, ${account.name}`, open.reason, 'hand'));
	}
	if (typeof body['undo'] === 'number')
		return done(switched(state.undo?.level ?? 0, account.name, '', 'undo'));
	const reason = String(body['reason'] ?? '');
	if (isFaster) {
		const current = switched(2, 'Second duty manager', 'p95 is over 2 s', 'hand');
		put(current);
		return refusal('somebody_faster', 409, { current: current.current, proposal: null });
	}
	const level = Number(body['level']);
	if (level >= 3 && level > state.current.level && body['breakGlass'] !== true)
		return done(
			{
				...state,
				proposal: {
					...{
						id: 'p1',
						level,
						reason,
						by: account.name,
						byId: account.id,
						at: now,
						expiresAt: now + 300_000
					},
					...{ chips: (body['chips'] ?? []) as [], until: null, drill: null, ruleProposal: null }
				}
			},
			202
		);
	return done(switched(level, account.name, reason, body['breakGlass'] === true ? 'break-glass' : 'hand'));
}
