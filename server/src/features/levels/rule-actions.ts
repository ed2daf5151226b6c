import { randomUUID } from 'node:crypto';
import {
	ruleKey,
	type CurrentLevel,
	type LevelFigures,
	type LevelsFile,
	type RuleEvidence,
	type RuleProposal
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Record } from '../record/index.ts';
import type { Force } from './levels-force.ts';
import { findReal, type Scope } from './levels-store.ts';
import type { RulesAction } from './rule-decide.ts';
import { insertRuleProposal, settleRuleProposal } from './rules-store.ts';

/** What the leader does of what the rules decided, in the transaction that holds the level in force. */
export interface RuleActionDeps {
	record: Pick<Record, 'append'>;
	file: LevelsFile;
	scope: Scope;
	force: Force;
	evidence(action: Exclude<RulesAction, { kind: 'settle' }>, now: number): RuleEvidence[];
	figures(): LevelFigures | null;
}

const actor = 'marsad';
const settledActions = {
	expired: 'level.rule.expired',
	cleared: 'level.rule.cleared',
	overtaken: 'level.rule.overtaken',
	replaced: 'level.rule.replaced'
} as const;

export async function carryOut(
	deps: RuleActionDeps,
	tx: Tx,
	actions: readonly RulesAction[],
	{ current, open, now }: { current: CurrentLevel; open: RuleProposal | null; now: number }
): Promise<void> {
	for (const action of actions) {
		if (action.kind === 'settle') {
			if (open) await settle(deps, tx, open, action.outcome, now);
		} else if (action.kind === 'propose') await propose(deps, tx, action, current, now);
		else await act(deps, tx, action, current, now);
	}
}

async function settle(
	{ record, file }: RuleActionDeps,
	tx: Tx,
	open: RuleProposal,
	outcome: keyof typeof settledActions,
	now: number
): Promise<void> {
	const rule = file.rules.find((one) => ruleKey(one) === open.rule);
	const cooldownMs =
		rule?.cooldownSeconds === undefined ? limits.levels.cooldownMs : rule.cooldownSeconds * 1_000;
	const quietUntil = outcome === 'expired' ? now + cooldownMs : undefined;
	const settled = { outcome, by: null, at: now, ...(quietUntil === undefined ? {} : { quietUntil }) };
	if (!(await settleRuleProposal(tx, open.id, settled))) return;
	await record.append(tx, {
		...{ actor, action: settledActions[outcome], subject: `level:${open.level}` },
		before: { proposal: open.id, rule: open.rule, direction: open.direction }
	});
}

async function propose(
	deps: RuleActionDeps,
	tx: Tx,
	action: Extract<RulesAction, { kind: 'propose' }>,
	current: CurrentLevel,
	now: number
): Promise<void> {
	const { direction, level, rules } = action;
	const [first] = rules;
	const evidence = deps.evidence(action, now);
	const id = randomUUID();
	const rule = first ? ruleKey(first) : null;
	await insertRuleProposal(tx, deps.scope, {
		...{ id, direction, why: first ? 'rule' : 'until', rule, from: current.level, level },
		...{ at: now, expiresAt: now + limits.levels.ruleProposalMs, expectedVersion: current.version },
		...{ evidence, figures: deps.figures() }
	});
	await deps.record.append(tx, {
		...{ actor, action: 'level.rule.propose', subject: `level:${level}`, reason: rule ?? 'planned end' },
		before: { level: current.level, version: current.version },
		after: { proposal: id, direction, evidence: evidence.map(shortOf) }
	});
}

async function act(
	deps: RuleActionDeps,
	tx: Tx,
	action: Extract<RulesAction, { kind: 'act' }>,
	current: CurrentLevel,
	now: number
): Promise<void> {
	const { direction, level, rules } = action;
	const rule = ruleKey(rules[0]);
	const evidence = deps.evidence(action, now).map(shortOf);
	// Back at what a person had set: that person's reason and planned end hold on, and going on down is for people.
	const isBack = direction === 'down' && level === (current.from ?? 0);
	const before = isBack ? await findReal(tx, deps.scope, { version: current.version - 1, level }) : null;
	await deps.force.putInForce(tx, current, {
		...{ level, source: 'rule', by: before?.by ?? 'Marsad', actor, chips: before?.chips ?? [] },
		reason: before?.reason ?? rule,
		until: before?.until ?? null,
		rule: direction === 'up' ? rule : isBack ? null : current.rule,
		details: { byRule: rule, direction, evidence }
	});
}

/** What stands on the record: the chart stays with the proposal. */
function shortOf({ rule, value, at, threshold, forSeconds, since }: RuleEvidence) {
	return { rule, value, at, threshold, forSeconds, since };
}
