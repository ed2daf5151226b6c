import {
	ReadinessAnswer,
	ReadinessNote,
	ReadinessNoted,
	readinessNotes,
	type Mark,
	type ReadinessNoteKind,
	type RecordEntry,
	type SeasonPlan
} from '../../../contract/index.ts';
import { refuseOld } from '../../refuse-old.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Feature } from '../../platform/feature.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Facts } from './judge.ts';
import { judgeSpikes } from './readiness.ts';

/** Where the evidence comes from. */
export interface ReadinessSources {
	plan(): SeasonPlan;
	facts(): Promise<Omit<Facts, 'now' | 'startedAt' | 'plan' | 'notes'>>;
}

export interface ReadinessDeps {
	clock: Clock;
	record: Pick<TheRecord, 'append' | 'runCommand' | 'newest'>;
	mark: Mark;
	sources: ReadinessSources;
}

const action = 'readiness.note';
const subjectOf = (kind: ReadinessNoteKind) => `readiness:${kind}`;

/** Whether each known spike is ready, from evidence alone: nothing can be ticked off. */
export function createReadiness(deps: ReadinessDeps): Feature {
	const { clock, record, sources } = deps;
	const startedAt = clock.now();
	const newestNote = async (kind: ReadinessNoteKind) =>
		(await record.newest({ actions: [action], subject: subjectOf(kind), limit: 1 }))[0] ?? null;
	const read = async (): Promise<ReadinessAnswer> => {
		const plan = sources.plan();
		const notes = await Promise.all(readinessNotes.map(newestNote));
		const byKind = Object.fromEntries(readinessNotes.map((kind, index) => [kind, notes[index]])) as Record<
			ReadinessNoteKind,
			RecordEntry | null
		>;
		const now = clock.now();
		const facts = { ...(await sources.facts()), now, startedAt, plan, notes: byKind };
		return { at: now, mark: deps.mark, spikes: judgeSpikes(facts, plan.spikes) };
	};
	return {
		name: 'readiness',
		staffRoutes(app: StaffApp) {
			app.get('/api/v1/readiness', { schema: { response: { 200: ReadinessAnswer } } }, read);
			app.post(
				'/api/v1/readiness/notes',
				{ schema: { body: ReadinessNote, response: { 200: ReadinessNoted } } },
				async (request, reply) => {
					const account = request.account!;
					const { kind, reason, sentAt } = request.body;
					refuseOld(sentAt, clock.now());
					await record.runCommand(request, reply, account.id, async (tx) => {
						await record.append(tx, {
							...{ actor: account.email, action, subject: subjectOf(kind), reason: reason.trim() }
						});
						return { status: 200, body: { kind, at: clock.now() } };
					});
					return reply;
				}
			);
		}
	};
}
