import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull, sentAt } from './dispatch.ts';
import { Claim } from './incidents.ts';
import { LocalText, Mark, NumberOrNull, Quality } from './quality.ts';

/** Worst first. */
export const alarmPriorities = ['critical', 'high', 'medium', 'low'] as const;
export const AlarmPriority = Type.Enum(alarmPriorities);
export type AlarmPriority = (typeof alarmPriorities)[number];

/**
 * The life of one occurrence. `returned-unacknowledged`: the condition is gone and nobody has seen it, it stays on the
 * list until somebody has. `normal`: over; the next raise is an occurrence of its own.
 */
export const alarmStates = ['unacknowledged', 'acknowledged', 'returned-unacknowledged', 'normal'] as const;
export const AlarmState = Type.Enum(alarmStates);
export type AlarmState = (typeof alarmStates)[number];

/** Flood mode begins above so many annunciations in ten minutes, and ends below so many. */
export const floodWindowMs = 600_000;
export const floodAbove = 10;
export const floodEndsBelow = 5;
/** A critical alarm nobody touches: duty manager, then everybody's page. */
export const escalateAfterMs = { dutyManager: 60_000, everybody: 120_000 } as const;
/** Acknowledged is not done: not confirmed and not linked after so long it rings again. */
export const ringAgainAfterMs: Readonly<Record<AlarmPriority, number | null>> = {
	critical: 300_000,
	high: 900_000,
	medium: null,
	low: null
};
/** Offered lengths of shelving, minutes, and the longest: one shift. */
export const shelveMinutesOffered = [5, 15, 30, 60] as const;
export const shelveMinutesMax = 480;
/** On and off so often in a minute is chattering; active for so long is stale. */
export const chatteringFrom = 3;
export const chatteringWindowMs = 60_000;
export const staleAfterMs = 86_400_000;

export const alarmSubjectKinds = ['zone', 'device', 'gate', 'part', 'level', 'dispatch', 'incident'] as const;
export type AlarmSubjectKind = (typeof alarmSubjectKinds)[number];
const subjectFields = {
	kind: Type.Enum(alarmSubjectKinds),
	id: boundedText(120)
};
/** What an alarm is about; a definition and a subject together have one alarm at a time. */
export const AlarmSubject = Type.Object(subjectFields, { additionalProperties: false });
export type AlarmSubject = Static<typeof AlarmSubject>;

const ActAt = Type.Object({ by: Type.String(), byId: Type.String(), at: Type.Integer() });

/** One occurrence of an alarm. Topic `alarms`, key `alarm:{id}`. */
export const Alarm = Type.Object({
	id: Type.String(),
	/** Key of its definition, e.g. `zone-step`. */
	definition: Type.String(),
	priority: AlarmPriority,
	subject: Type.Object({ ...subjectFields, names: LocalText }),
	/** Zone where a team would be sent; null when there is none. */
	zone: orNull(Type.String()),
	state: AlarmState,
	/** The source fell silent while it is active: its state is UNKNOWN, and that is no recovery. */
	dataLost: Type.Boolean(),
	title: LocalText,
	cause: LocalText,
	consequence: LocalText,
	/** What to do. */
	action: LocalText,
	/** Who does it, as the site file says; null: not written. */
	who: orNull(LocalText),
	timeToRespondSeconds: Type.Integer(),
	raisedAt: Type.Integer(),
	/** When it last got worse (a higher step or priority); it rang again then. */
	worsenedAt: MomentOrNull,
	returnedAt: MomentOrNull,
	/** The measured value against its limit; value null: not known now. */
	evidence: Type.Object({
		value: NumberOrNull,
		limit: NumberOrNull,
		unit: Type.String(),
		at: Type.Integer()
	}),
	acknowledged: orNull(ActAt),
	/** The action was taken, in words. */
	confirmed: orNull(Type.Object({ ...ActAt.properties, text: Type.String() })),
	/** "I have it." */
	claim: orNull(Claim),
	/** What was done about it, by id. */
	links: Type.Object({
		team: orNull(Type.String()),
		dispatch: orNull(Type.String()),
		gate: orNull(Type.String()),
		level: orNull(Type.Integer())
	}),
	/** Rings again then, unless it is confirmed or linked; null: it does not. */
	ringsAgainAt: MomentOrNull,
	/** Times it rang again. */
	rangAgain: Type.Integer(),
	/** Nobody touched it: who is called by now. */
	escalation: orNull(
		Type.Object({
			step: Type.Union([Type.Literal('duty-manager'), Type.Literal('everybody')]),
			at: Type.Integer()
		})
	),
	/** Put aside for a time by a person; comes back by itself. */
	shelved: orNull(Type.Object({ ...ActAt.properties, until: Type.Integer(), reason: Type.String() })),
	/** May be shelved at all: a critical crowd alarm may not. */
	shelvable: Type.Boolean(),
	/** Put aside by the system from state, with why; it is evaluated all the same. */
	suppressed: orNull(Type.Object({ since: Type.Integer(), why: LocalText })),
	/** Taken out of service by the administrator. */
	outOfService: orNull(Type.Object({ ...ActAt.properties, reason: Type.String() })),
	/**
	 * Number of its last annunciation, rising over all alarms, kept over restarts. A screen compares, and plays nothing
	 * twice. 0: never annunciated (shelved, suppressed, or hidden by the flood).
	 */
	soundSeq: Type.Integer(),
	/** Hidden in the flood: raised while flood mode held, medium or low; shown in its group. */
	inFlood: Type.Boolean(),
	chattering: Type.Boolean(),
	stale: Type.Boolean(),
	quality: Quality,
	mark: Mark
});
export type Alarm = Static<typeof Alarm>;

/** What it is called by: a step of a zone by what the step asks for, everything else by its title. */
export function headlineOf({
	definition,
	title,
	action
}: Pick<Alarm, 'definition' | 'title' | 'action'>): LocalText {
	return definition === 'zone-step' ? action : title;
}

const byPriority = Type.Object({
	critical: Type.Integer(),
	high: Type.Integer(),
	medium: Type.Integer(),
	low: Type.Integer()
});

/** A sound to be played: once each `seq`. */
export const AlarmSound = Type.Object({
	seq: Type.Integer(),
	at: Type.Integer(),
	why: Type.Union([
		Type.Literal('raised'),
		Type.Literal('worsened'),
		Type.Literal('again'),
		Type.Literal('escalated'),
		/** The one sound of a flood. */
		Type.Literal('flood')
	]),
	priority: AlarmPriority,
	/** Null: the flood itself. */
	alarm: orNull(Type.String())
});
export type AlarmSound = Static<typeof AlarmSound>;

/** Topic `alarms`, key `summary`: all alarms in a few numbers. Shelved, suppressed and out of service are not in `active`. */
export const AlarmSummary = Type.Object({
	at: Type.Integer(),
	active: byPriority,
	unacknowledged: byPriority,
	returned: Type.Integer(),
	shelved: Type.Integer(),
	suppressed: Type.Integer(),
	outOfService: Type.Integer(),
	/** Active alarms whose source is silent. */
	dataLost: Type.Integer(),
	/** Annunciations in the last ten minutes. */
	perTenMinutes: Type.Integer(),
	/** `first` is the alarm that began it; `hidden` counts those that are shown in groups only. */
	flood: orNull(Type.Object({ since: Type.Integer(), first: orNull(Type.String()), hidden: Type.Integer() })),
	/** The newest sound. */
	sound: orNull(AlarmSound),
	/** Ids of those that need a hand first: worst and oldest. */
	first: Type.Array(Type.String(), { maxItems: 10 }),
	/** The highest escalation in force. */
	escalation: orNull(Type.Union([Type.Literal('duty-manager'), Type.Literal('everybody')])),
	/** When the rules were last looked at: older than 5 s, and the alarms are blind. */
	evaluatedAt: Type.Integer(),
	/** There are more alarms than the topic carries: the rest is under GET /api/v1/alarms. */
	more: Type.Boolean(),
	mark: Mark
});
export type AlarmSummary = Static<typeof AlarmSummary>;

/** A definition and subject that was put aside, with or without an active occurrence. Topic `alarms`, key `aside`. */
export const AlarmAside = Type.Object({
	definition: Type.String(),
	subject: Alarm.properties.subject,
	title: LocalText,
	how: Type.Union([Type.Literal('shelved'), Type.Literal('out-of-service')]),
	by: Type.String(),
	at: Type.Integer(),
	/** Null: out of service has no end of its own. */
	until: MomentOrNull,
	reason: Type.String(),
	/** Its newest occurrence, for …/unshelve; null: it never rang. */
	alarm: orNull(Type.String())
});
export type AlarmAside = Static<typeof AlarmAside>;

export const alarmEventKinds = [
	'raised',
	'worsened',
	'eased',
	'acknowledged',
	'confirmed',
	'linked',
	'rang-again',
	'returned',
	'over',
	'data-lost',
	'data-back',
	'shelved',
	'unshelved',
	'suppressed',
	'unsuppressed',
	'out-of-service',
	'in-service',
	'taken',
	'released',
	'escalated'
] as const;
export type AlarmEventKind = (typeof alarmEventKinds)[number];
/** One line of an alarm's own history. `by` null: the server. */
export const AlarmEvent = Type.Object({
	at: Type.Integer(),
	kind: Type.Enum(alarmEventKinds),
	by: orNull(Type.String()),
	/** Reason, confirmation or what was linked. */
	text: orNull(Type.String()),
	priority: AlarmPriority,
	value: NumberOrNull
});
export type AlarmEvent = Static<typeof AlarmEvent>;

/** Which alarms GET /api/v1/alarms lists: `standing` (active and returned, not put aside) when nothing is asked. */
export const alarmLists = ['standing', 'active', 'returned', 'shelved', 'suppressed', 'history'] as const;
export const AlarmsQuery = Type.Object({
	list: Type.Optional(Type.Enum(alarmLists)),
	/** `next` of the page before. */
	before: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
	limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 100 }))
});
/** Answer of GET /api/v1/alarms, newest first. */
export const AlarmsAnswer = Type.Object({
	alarms: Type.Array(Alarm),
	next: orNull(Type.String()),
	summary: AlarmSummary,
	aside: Type.Array(AlarmAside)
});
export type AlarmsAnswer = Static<typeof AlarmsAnswer>;
/** Answer of GET /api/v1/alarms/:id. */
export const AlarmDetail = Type.Object({ alarm: Alarm, history: Type.Array(AlarmEvent) });
export type AlarmDetail = Static<typeof AlarmDetail>;
/** Answer of every command on one alarm. */
export const AlarmAnswer = Type.Object({ alarm: Alarm });
export type AlarmAnswer = Static<typeof AlarmAnswer>;

/** Body of POST /api/v1/alarms/:id/ack. An alarm that is over: 409 `alarm_over`, and nothing changes. */
export const AckRequest = Type.Object({ sentAt }, { additionalProperties: false });
/** Body of POST /api/v1/alarms/ack: many at once; those that are over are named, not changed. */
export const AckManyRequest = Type.Object(
	{ ids: Type.Array(boundedText(20), { minItems: 1, maxItems: 200 }), sentAt },
	{ additionalProperties: false }
);
export const AckManyAnswer = Type.Object({
	alarms: Type.Array(Alarm),
	over: Type.Array(Type.String())
});
export type AckManyAnswer = Static<typeof AckManyAnswer>;
/** Body of POST /api/v1/alarms/:id/confirm: the action was taken. It acknowledges, too. */
export const ConfirmAlarmRequest = Type.Object(
	{ text: boundedText(400, 3), sentAt },
	{ additionalProperties: false }
);
/** Body of POST /api/v1/alarms/:id/shelve. A critical crowd alarm: 409 `not_shelvable`. */
export const ShelveRequest = Type.Object(
	{
		minutes: Type.Integer({ minimum: 1, maximum: shelveMinutesMax }),
		reason: boundedText(400, 3),
		sentAt
	},
	{ additionalProperties: false }
);
/** Body of POST /api/v1/alarms/:id/unshelve. */
export const UnshelveRequest = Type.Object({ sentAt }, { additionalProperties: false });
/** Body of POST /api/v1/alarms/out-of-service (administrator); `out` false puts it back. */
export const OutOfServiceRequest = Type.Object(
	{
		definition: boundedText(64),
		subject: AlarmSubject,
		out: Type.Boolean(),
		reason: boundedText(400, 3)
	},
	{ additionalProperties: false }
);
export const AsideAnswer = Type.Object({ aside: Type.Array(AlarmAside) });
export type AsideAnswer = Static<typeof AsideAnswer>;

/** What an alarm was defined as, GET /api/v1/alarms/definitions. */
export const AlarmDefinitionShown = Type.Object({
	key: Type.String(),
	kind: subjectFields.kind,
	/** The priorities it can have. */
	priorities: Type.Array(AlarmPriority),
	title: LocalText,
	cause: LocalText,
	consequence: LocalText,
	action: LocalText,
	timeToRespondSeconds: Type.Integer(),
	onDelaySeconds: Type.Number(),
	offDelaySeconds: Type.Number(),
	deadband: Type.Number(),
	unit: Type.String()
});
export type AlarmDefinitionShown = Static<typeof AlarmDefinitionShown>;
export const AlarmDefinitions = Type.Object({ definitions: Type.Array(AlarmDefinitionShown) });

/** Answer of GET /api/v1/alarms/figures, over the last 24 hours where nothing else is said. */
export const AlarmFigures = Type.Object({
	from: Type.Integer(),
	at: Type.Integer(),
	/** Annunciations in each ten minutes, oldest first; `startsAt` epoch ms. */
	perTenMinutes: Type.Array(Type.Object({ startsAt: Type.Integer(), annunciations: Type.Integer() })),
	annunciations: Type.Integer(),
	floodMinutes: Type.Number(),
	/** Those that rang most often. */
	topTen: Type.Array(
		Type.Object({
			definition: Type.String(),
			subject: Alarm.properties.subject,
			title: LocalText,
			annunciations: Type.Integer(),
			share: Type.Number()
		})
	),
	/** Ids of what chatters now, and of what has been active for over a day. */
	chattering: Type.Array(Type.String()),
	stale: Type.Array(Type.String()),
	meanSecondsToAcknowledge: NumberOrNull,
	meanSecondsToConfirm: NumberOrNull,
	/** Raised, by priority. */
	mix: byPriority,
	shelvedNow: Type.Integer(),
	suppressedNow: Type.Integer(),
	outOfServiceNow: Type.Integer(),
	quality: Quality,
	mark: Mark
});
export type AlarmFigures = Static<typeof AlarmFigures>;
