import type { CurrentLevel, Drill } from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Record } from '../record/index.ts';
import { endRunningDrill } from './drills-store.ts';
import type { Follower } from './levels-live.ts';
import { realLevel } from './levels-plan.ts';
import {
	notifyInstances,
	readLevels,
	saveSeen,
	writeLevel,
	type Scope,
	type StoredLevels
} from './levels-store.ts';
import { closeProposals } from './proposals-store.ts';
import { findRuleProposal, settleRuleProposal } from './rules-store.ts';

/** What is put in force, by whom, and why. */
export interface Switch extends Pick<CurrentLevel, 'level' | 'source'> {
	/** As it is shown, and as it stands on the record. */
	by: string;
	actor: string;
	reason: string;
	chips?: CurrentLevel['chips'];
	until?: number | null;
	rule?: string | null;
	/** The proposal of a rule that is taken with it. */
	ruleProposal?: string | null;
	/** What else belongs on the record. */
	details?: object;
}

/** The one way in which a level comes into force. Call it with the row of the level in force locked. */
export interface Force {
	putInForce(tx: Tx, current: CurrentLevel, next: Switch): Promise<CurrentLevel>;
	/** Everything is stored: tells the instances; `adopt` what it answers after the commit. */
	finish(tx: Tx): Promise<StoredLevels>;
}

const actionOf: Partial<{ [source in CurrentLevel['source']]: string }> = {
	'break-glass': 'level.break-glass',
	undo: 'level.undo',
	drill: 'level.drill.start',
	'drill-end': 'level.drill.end'
};

export function createForce(deps: {
	clock: Clock;
	record: Pick<Record, 'append'>;
	scope: Scope;
	instance: string;
	follower: Pick<Follower, 'state'>;
}): Force {
	const { clock, scope, record } = deps;

	/** A real switch wins over a drill. */
	const overrule = async (tx: Tx, by: string): Promise<Drill | null> =>
		endRunningDrill(tx, scope, { outcome: 'overruled', by, at: clock.now() });

	/** The proposal of a rule that this switch takes; any other is overtaken. */
	const settleProposal = async (tx: Tx, { level, by, ruleProposal, source }: Switch) => {
		const open = await findRuleProposal(tx, scope);
		if (!open) return null;
		const isTaken = open.id === ruleProposal || (open.level === level && source !== 'drill');
		await settleRuleProposal(tx, open.id, { outcome: isTaken ? 'taken' : 'overtaken', by, at: clock.now() });
		return isTaken ? open.id : null;
	};

	return {
		async putInForce(tx, current, next) {
			const { level, source, by, reason, chips = [], until = null, rule = null } = next;
			const at = clock.now();
			const version = current.version + 1;
			const exercise = source === 'drill';
			const overruled = source === 'drill-end' ? null : await overrule(tx, by);
			const taken = await settleProposal(tx, next);
			await closeProposals(tx, scope, { version, level, byRule: source === 'rule', at });
			const facts = { level, version, source, chips, exercise, from: realLevel(current), until, rule };
			await writeLevel(tx, scope, { ...facts, by, reason, at });
			await saveSeen(tx, scope, { instance: deps.instance, version, level, at });
			await record.append(tx, {
				...{ actor: next.actor, action: actionOf[source] ?? 'level.switch', subject: `level:${level}` },
				reason: [...chips, reason].filter((word) => word !== '').join(': '),
				before: { level: current.level, version: current.version },
				after: {
					...{ level, version },
					...(exercise || source === 'drill-end' ? { mark: 'EXERCISE' } : {}),
					...(until === null ? {} : { until: new Date(until).toISOString() }),
					...(rule === null ? {} : { rule }),
					...(overruled ? { endsDrill: overruled.id } : {}),
					...(taken === null ? {} : { ruleProposal: taken }),
					...next.details
				}
			});
			return { ...facts, since: at, by, reason };
		},
		async finish(tx) {
			const stored = await readLevels(tx, scope, clock.now());
			await notifyInstances(tx, scope, stored.current);
			return stored;
		}
	};
}
