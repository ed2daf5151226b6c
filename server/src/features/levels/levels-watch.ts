import {
	levelSignals,
	ruleKey,
	type CurrentLevel,
	type LevelRulesNow,
	type LevelsFile,
	type Mark
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Leader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { Record } from '../record/index.ts';
import type { Spike } from '../spike/index.ts';
import type { DrillWatch } from './drill-watch.ts';
import type { Force } from './levels-force.ts';
import type { Follower } from './levels-live.ts';
import { effectOf } from './levels-plan.ts';
import { lockCurrent, type Scope } from './levels-store.ts';
import { expireProposals } from './proposals-store.ts';
import { carryOut, type RuleActionDeps } from './rule-actions.ts';
import { advanceClock, freshMemory, pauseClock, standOf, type RuleMemory } from './rule-clock.ts';
import { decideRules, type RulesAction } from './rule-decide.ts';
import { createSeen } from './rule-evidence.ts';
import { lookAt, looksOf, type InForce, type Looks } from './rule-signals.ts';
import { findRuleProposal, listQuiet } from './rules-store.ts';

export interface LevelsWatchDeps {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	record: Pick<Record, 'append'>;
	file: LevelsFile;
	scope: Scope;
	mark: Mark;
	spike: Pick<Spike, 'now' | 'history'>;
	follower: Pick<Follower, 'current' | 'adopt'>;
	force: Force;
	figures: RuleActionDeps['figures'];
	drillWatch: DrillWatch;
	leader: Pick<Leader, 'term' | 'check'>;
}

/** Looks at the written rules once a second: every instance shows how they stand, the one that leads acts. */
export interface LevelsWatch {
	/** Goes on from the stored seconds. */
	resume(): Promise<void>;
	/** One look; resolves when what it decided is stored. @throws what the database, or a term that is over, throws */
	look(): Promise<void>;
}

type Quiet = Awaited<ReturnType<typeof listQuiet>>;

export function createLevelsWatch(deps: LevelsWatchDeps): LevelsWatch {
	const { db, clock, file, scope, follower } = deps;
	const { rules } = file;
	const seen = createSeen(rules);
	let memories = new Map<string, RuleMemory>();
	let version = -1;
	let quiet: Quiet = [];
	let expiredMs = -Infinity;
	let acting = false;

	const advance = (looks: Looks, at: number) => {
		seen.note(at, looks);
		for (const rule of rules) {
			const key = ruleKey(rule);
			memories.set(key, advanceClock(memories.get(key) ?? freshMemory, rule, looks[rule.signal], at));
		}
	};
	/** Evidence of before a switch is none for what the level now in force needs. */
	const followLevel = (current: CurrentLevel) => {
		if (current.version === version) return;
		version = current.version;
		memories = new Map();
	};

	const show = (looks: Looks, { settlingUntil }: InForce, now: number) => {
		const current = follower.current();
		const shown: LevelRulesNow = {
			at: now,
			rules: rules.map((rule) => {
				const look = looks[rule.signal];
				const stand = standOf(
					memories.get(ruleKey(rule)) ?? freshMemory,
					rule,
					look,
					current.level >= rule.level
				);
				const own = quiet.filter((one) => one.rule === ruleKey(rule) && one.until > now);
				return {
					...{ rule: ruleKey(rule), signal: rule.signal, level: rule.level, mode: rule.mode, ...stand },
					...{ value: look.value, quality: look.quality },
					quietUntil: own.length === 0 ? null : Math.max(...own.map(({ until }) => until))
				};
			}),
			blind: levelSignals.filter(
				(signal) => looks[signal].kind === 'blind' && rules.some((rule) => rule.signal === signal)
			),
			settlingUntil: settlingUntil > now ? settlingUntil : null,
			mark: current.exercise ? 'exercise' : deps.mark
		};
		deps.hub.topic('levels').set('rules', shown);
	};

	const decide = (tx: Db | Tx, looks: Looks, current: CurrentLevel, now: number) =>
		findRuleProposal(tx, scope).then((open) => ({
			open,
			actions: decideRules({ now, rules, memories, looks, current, open, quiet })
		}));
	const evidence = (action: Exclude<RulesAction, { kind: 'settle' }>, now: number) =>
		action.rules.map((rule) =>
			seen.evidence(rule, memories.get(ruleKey(rule)) ?? freshMemory, action.direction, now)
		);

	/** Decided on what this instance knows, and again on what is stored, with the level locked. */
	const act = async (looks: Looks, now: number) => {
		quiet = await listQuiet(db, scope, now);
		const { actions } = await decide(db, looks, follower.current(), now);
		const mayExpire = clock.elapsedMs() - expiredMs >= limits.levels.heardEveryMs;
		const drillEnds = deps.drillWatch.isDue(now);
		if (actions.length === 0 && !mayExpire && !drillEnds) return;
		expiredMs = clock.elapsedMs();
		const stored = await db.transaction().execute(async (tx) => {
			await deps.leader.check(tx);
			const current = await lockCurrent(tx, scope);
			const expired = await expire(tx, now);
			if (current.version !== version) return null;
			if (drillEnds) await deps.drillWatch.end(tx, current, drillEnds);
			else {
				const again = await decide(tx, looks, current, now);
				if (again.actions.length === 0 && !expired) return null;
				const context = { current, open: again.open, now };
				await carryOut({ ...deps, evidence }, tx, again.actions, context);
			}
			return deps.force.finish(tx);
		});
		if (stored) follower.adopt(stored);
	};
	const expire = async (tx: Tx, now: number): Promise<boolean> => {
		const gone = await expireProposals(tx, scope, now);
		for (const { id, level, by } of gone)
			await deps.record.append(tx, {
				...{ actor: 'marsad', action: 'level.propose.expired', subject: `level:${level}` },
				before: { proposal: id, by }
			});
		return gone.length > 0;
	};

	const inForceNow = (current: CurrentLevel): InForce => ({
		off: effectOf(file, current.level).off,
		settlingUntil: current.source === 'start' ? 0 : current.since + limits.levels.settleMs
	});

	return {
		async resume() {
			const now = clock.now();
			const current = follower.current();
			followLevel(current);
			try {
				const history = await deps.spike.history({ from: now - seen.keepMs, to: now, resolution: 1 });
				for (const { at, looks } of looksOf(history, inForceNow(current))) advance(looks, at);
				memories = new Map([...memories].map(([key, memory]) => [key, pauseClock(memory)]));
			} catch (error) {
				deps.log.warn({ err: error }, 'rules begin anew: the stored seconds could not be read');
			}
		},
		async look() {
			const now = clock.now();
			const current = follower.current();
			followLevel(current);
			const inForce = inForceNow(current);
			const looks = lookAt(deps.spike.now(), now, inForce);
			advance(looks, now);
			show(looks, inForce, now);
			if (acting || deps.leader.term() === null) return;
			acting = true;
			try {
				await act(looks, now);
				await deps.drillWatch.measure(now);
			} finally {
				acting = false;
			}
		}
	};
}
