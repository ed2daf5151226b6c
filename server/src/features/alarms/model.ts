import type {
	Alarm,
	AlarmEventKind,
	AlarmPriority,
	AlarmSound,
	AlarmState,
	AlarmSubjectKind,
	LocalText,
	Mark,
	Quality
} from '../../../contract/index.ts';
import type { Rule } from './rule.ts';

/** What people are told; kept with the occurrence as it was. */
export interface AlarmTexts {
	title: LocalText;
	cause: LocalText;
	consequence: LocalText;
	action: LocalText;
	timeToRespondSeconds: number;
}

/** One kind of alarm. `priorities` has one entry a level, mildest first. */
export interface Definition extends AlarmTexts, Rule {
	key: string;
	kind: AlarmSubjectKind;
	priorities: readonly AlarmPriority[];
	deadband: number;
	unit: string;
	/** About people in a crowd: a critical one is never shelved. */
	crowd: boolean;
	/** Nobody is asked first: everybody's page from the first moment. */
	pagesEverybody?: boolean;
}

/** Which definition about what. */
export interface PointId {
	definition: string;
	kind: AlarmSubjectKind;
	id: string;
}
export const pointKey = ({ definition, kind, id }: PointId) => `${definition}\n${kind}\n${id}`;

/** What is true of one point now. `level` null: nobody knows. */
export interface Condition extends PointId {
	level: number | null;
	value: number | null;
	limit: number | null;
	unit: string;
	names: LocalText;
	zone: string | null;
	quality: Quality;
	mark: Mark;
	/** Instead of those of the definition, where levels are those of the subject itself (steps of a zone). */
	priorities?: readonly AlarmPriority[] | undefined;
	/** Instead of those of the definition: the written action of a step, and who does it. */
	action?: LocalText | undefined;
	cause?: LocalText | undefined;
	who?: LocalText | null | undefined;
	/** Put aside by design, with why. */
	suppressed?: LocalText | null | undefined;
}

/** One occurrence as it is stored; times are epoch ms. `id` null: not stored yet. */
export interface StoredAlarm {
	id: number | null;
	point: PointId;
	level: number;
	priority: AlarmPriority;
	shown: AlarmTexts & { names: LocalText; zone: string | null; who: LocalText | null; crowd: boolean };
	evidence: Alarm['evidence'];
	raisedAt: number;
	worsenedAt: number | null;
	returnedAt: number | null;
	overAt: number | null;
	dataLost: boolean;
	quality: Quality;
	mark: Mark;
	acknowledged: Alarm['acknowledged'];
	confirmed: Alarm['confirmed'];
	claim: { by: string; byId: string; at: number; heartbeatAt: number } | null;
	links: Alarm['links'];
	annunciatedAt: number | null;
	ringsAgainAt: number | null;
	rangAgain: number;
	escalation: Alarm['escalation'];
	suppressed: Alarm['suppressed'];
	soundSeq: number;
	inFlood: boolean;
}

/** What was put aside by a person. */
export interface Aside {
	point: PointId;
	how: 'shelved' | 'out-of-service';
	names: LocalText;
	by: string;
	byId: string;
	at: number;
	until: number | null;
	reason: string;
}

export interface AlarmChange {
	at: number;
	kind: AlarmEventKind;
	by: string | null;
	text: string | null;
}

export type Why = AlarmSound['why'];

/** The state of an occurrence is worked out, never stored: condition and hands cannot contradict each other. */
export function stateOf({ returnedAt, overAt, acknowledged }: StoredAlarm): AlarmState {
	if (overAt !== null) return 'normal';
	if (returnedAt !== null) return 'returned-unacknowledged';
	return acknowledged ? 'acknowledged' : 'unacknowledged';
}

/** Something was done about it: it need not ring again. */
export function isLinked({ links }: StoredAlarm): boolean {
	return links.dispatch !== null || links.gate !== null || links.level !== null;
}

export function isShelvable({ priority, shown }: StoredAlarm): boolean {
	return !(priority === 'critical' && shown.crowd);
}
