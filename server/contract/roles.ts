import { trailRoles } from './entries.ts';
import { levelPressRoles } from './levels.ts';
import type { LiveTopic } from './live.ts';
import { roles, type Role } from './people.ts';

/** Everybody who signed in. */
const everybody: readonly Role[] = roles;
const controlRoom: readonly Role[] = [
	'duty-manager',
	'crowd-controller',
	'on-call-engineer',
	'viewer',
	'administrator'
];

/** The desk that sends teams. */
const desk: readonly Role[] = ['crowd-controller', 'duty-manager', 'administrator'];
/** Those, and who is out on the site. */
const deskAndLeaders: readonly Role[] = [...desk, 'team-leader'];
const deskAndField: readonly Role[] = [...deskAndLeaders, 'steward'];
/** Gates are commanded by whoever runs the crowd; what stands at a gate is said by whoever stands there, or by radio. */
const gateDesk: readonly Role[] = ['crowd-controller', 'duty-manager'];
const gateDeskAndField: readonly Role[] = [...gateDesk, 'team-leader', 'steward'];
/** Whoever answers alarms: of the crowd, and of the server's parts. */
const alarmDesk: readonly Role[] = ['crowd-controller', 'duty-manager', 'on-call-engineer', 'administrator'];
/** Whoever plans the season. */
const planners: readonly Role[] = ['duty-manager', 'administrator'];
/** Whoever plans slots takes places from them, too. */
const reductionDesk: readonly Role[] = ['duty-manager', 'administrator'];
const roomAndField: readonly Role[] = [...controlRoom, 'team-leader', 'steward'];

/**
 * Who may call what, one line a call. A staff route that is not in this table cannot be registered: the server
 * refuses to start. `anyone` needs no session.
 */
export const calls = {
	'POST /api/v1/session': 'anyone',
	'POST /api/v1/session/first': 'anyone',
	'GET /api/v1/session': everybody,
	'DELETE /api/v1/session': everybody,
	'GET /api/v1/record': ['duty-manager', 'on-call-engineer', 'administrator'],
	'GET /api/v1/site': roomAndField,
	'GET /api/v1/zones': controlRoom,
	'GET /api/v1/zones/:id': controlRoom,
	'GET /api/v1/zones/:id/trend': controlRoom,
	'GET /api/v1/zones/trend': controlRoom,
	'POST /api/v1/zones/:id/recount': ['crowd-controller', 'duty-manager', 'administrator'],
	'GET /api/v1/sensors': controlRoom,
	'POST /api/v1/sensors/:device/credential': ['administrator'],
	'POST /api/v1/sensors/preview': ['crowd-controller', 'administrator'],
	'POST /api/v1/readings/:adapter/:device': 'device',
	'GET /api/v1/gates': roomAndField,
	'GET /api/v1/gates/slots': controlRoom,
	'GET /api/v1/gates/:id': roomAndField,
	'POST /api/v1/gates/:id/state': gateDesk,
	'POST /api/v1/gates/:id/advance': gateDesk,
	'POST /api/v1/gates/:id/confirm': gateDeskAndField,
	'POST /api/v1/gates/proposals/:id/dismiss': gateDesk,
	'GET /api/v1/evacuation': roomAndField,
	'POST /api/v1/evacuation': gateDesk,
	'POST /api/v1/evacuation/take': gateDesk,
	'POST /api/v1/evacuation/stand-down': gateDesk,
	/** Cookie, device token or a scanner's token: what it brings goes by who asks. */
	'POST /api/v1/sync/pull': 'device',
	'POST /api/v1/entries': 'device',
	'GET /api/v1/entries/settings': 'device',
	'GET /api/v1/entries/places': controlRoom,
	'PUT /api/v1/entries/places/:place': ['duty-manager', 'administrator'],
	'GET /api/v1/entries/conflicts': deskAndLeaders,
	'POST /api/v1/entries/conflicts/:id/seen': desk,
	/** Of these, whom the places that it leads through let look. */
	'GET /api/v1/entries/trail/:permit': trailRoles,
	'GET /api/v1/scanners': roomAndField,
	'POST /api/v1/scanners': ['administrator'],
	'POST /api/v1/scanners/:id/revoke': ['administrator', 'duty-manager'],
	'GET /api/v1/spike/now': controlRoom,
	'GET /api/v1/spike/trend': controlRoom,
	'GET /api/v1/spike/history': controlRoom,
	'GET /api/v1/spike/decisions': controlRoom,
	'GET /api/v1/forecast/press': controlRoom,
	'GET /api/v1/forecast/kept': controlRoom,
	'GET /api/v1/alarms': roomAndField,
	'GET /api/v1/alarms/figures': controlRoom,
	'GET /api/v1/alarms/definitions': controlRoom,
	'GET /api/v1/alarms/:id': roomAndField,
	'POST /api/v1/alarms/ack': alarmDesk,
	'POST /api/v1/alarms/:id/ack': alarmDesk,
	'POST /api/v1/alarms/:id/confirm': alarmDesk,
	'POST /api/v1/alarms/:id/shelve': alarmDesk,
	'POST /api/v1/alarms/:id/unshelve': alarmDesk,
	'POST /api/v1/alarms/:id/take': alarmDesk,
	'POST /api/v1/alarms/:id/heartbeat': alarmDesk,
	'POST /api/v1/alarms/:id/release': alarmDesk,
	'POST /api/v1/alarms/out-of-service': ['administrator'],
	'GET /api/v1/teams': roomAndField,
	'GET /api/v1/teams/nearest': controlRoom,
	'GET /api/v1/teams/leaders': ['administrator'],
	'POST /api/v1/teams': ['administrator'],
	'PUT /api/v1/teams/:id': ['administrator'],
	'POST /api/v1/teams/:id/place': deskAndLeaders,
	'POST /api/v1/teams/:id/duty': deskAndLeaders,
	'GET /api/v1/dispatches': roomAndField,
	'POST /api/v1/dispatches': desk,
	'POST /api/v1/dispatches/:id/status': deskAndLeaders,
	'POST /api/v1/dispatches/:id/support': deskAndLeaders,
	'POST /api/v1/dispatches/:id/well': deskAndLeaders,
	'GET /api/v1/incidents': roomAndField,
	'POST /api/v1/incidents': deskAndField,
	'POST /api/v1/incidents/:id/told': desk,
	'POST /api/v1/incidents/:id/status': desk,
	'POST /api/v1/incidents/:id/take': desk,
	'POST /api/v1/incidents/:id/heartbeat': desk,
	'POST /api/v1/incidents/:id/release': desk,
	'GET /api/v1/handover': [...desk, 'on-call-engineer'],
	'POST /api/v1/handover': desk,
	'POST /api/v1/handover/:id/take': desk,
	'GET /api/v1/state-sheet': controlRoom,
	'GET /api/v1/levels': controlRoom,
	'POST /api/v1/levels/current': levelPressRoles,
	'GET /api/v1/levels/preview': controlRoom,
	'GET /api/v1/levels/proposals': controlRoom,
	'POST /api/v1/levels/proposals/:id/put-off': levelPressRoles,
	'GET /api/v1/levels/drills': controlRoom,
	'POST /api/v1/levels/drills': levelPressRoles,
	'POST /api/v1/levels/drills/:id/end': levelPressRoles,
	'POST /api/v1/levels/flags/restore': ['duty-manager', 'on-call-engineer'],
	'GET /api/v1/runs': controlRoom,
	'GET /api/v1/runs/:id': controlRoom,
	'POST /api/v1/runs': ['duty-manager'],
	'POST /api/v1/runs/:id/confirm': ['duty-manager', 'on-call-engineer'],
	'POST /api/v1/runs/:id/withdraw': ['duty-manager', 'on-call-engineer'],
	'POST /api/v1/runs/:id/stop': ['duty-manager', 'on-call-engineer'],
	/** The run's own token: its generator begins, tells how it goes, and ends. */
	'POST /api/v1/runs/:id/begin': 'device',
	'POST /api/v1/runs/:id/beat': 'device',
	'POST /api/v1/runs/:id/end': 'device',
	'GET /api/v1/season': controlRoom,
	'GET /api/v1/season/days': controlRoom,
	'GET /api/v1/season/people': planners,
	'POST /api/v1/season/spikes': planners,
	'PUT /api/v1/season/spikes/:id': planners,
	'POST /api/v1/season/freezes': planners,
	'PUT /api/v1/season/freezes/:id': planners,
	'POST /api/v1/season/orders': planners,
	'PUT /api/v1/season/orders/:id': planners,
	'POST /api/v1/season/roster': planners,
	'PUT /api/v1/season/roster/:id': planners,
	'POST /api/v1/season/sightings': planners,
	'POST /api/v1/season/sightings/:id/confirm': planners,
	'POST /api/v1/season/sightings/:id/withdraw': planners,
	'GET /api/v1/readiness': controlRoom,
	'POST /api/v1/readiness/notes': planners,
	'PUT /api/v1/queue/rate': ['duty-manager'],
	'PUT /api/v1/queue/mode': ['duty-manager'],
	'GET /api/v1/queue/schedule': controlRoom,
	'PUT /api/v1/queue/schedule': ['duty-manager'],
	'POST /api/v1/queue/epoch': ['duty-manager'],
	'POST /api/v1/queue/ballot': ['duty-manager', 'administrator'],
	'POST /api/v1/queue/ballot/run': ['duty-manager', 'administrator'],
	'POST /api/v1/queue/ballot/randomness': ['administrator'],
	'POST /api/v1/queue/draw': ['duty-manager', 'administrator'],
	'POST /api/v1/queue/draw/randomness': ['administrator'],
	'GET /api/v1/booking/slots': controlRoom,
	'PUT /api/v1/booking/slots': ['duty-manager', 'administrator'],
	'GET /api/v1/booking/quotas': controlRoom,
	'PUT /api/v1/booking/quotas': ['duty-manager', 'administrator'],
	'GET /api/v1/booking/reconciliation': controlRoom,
	'GET /api/v1/reductions': controlRoom,
	'POST /api/v1/reductions/preview': reductionDesk,
	'POST /api/v1/reductions': reductionDesk,
	'POST /api/v1/reductions/:id/confirm': reductionDesk,
	'POST /api/v1/reductions/:id/withdraw': reductionDesk,
	'GET /api/v1/permits/keys': ['administrator', 'duty-manager', 'on-call-engineer'],
	'POST /api/v1/permits/keys': ['administrator'],
	'POST /api/v1/permits/keys/list': ['administrator'],
	'POST /api/v1/permits/keys/:kid/reissue': ['administrator'],
	'POST /api/v1/permits/keys/:kid/compromised': ['administrator'],
	'POST /api/v1/permits/roots': ['administrator'],
	'POST /api/v1/simulators/session': 'anyone',
	'POST /api/v1/simulators/eligibility': 'anyone',
	'GET /stats': controlRoom
} as const satisfies Record<string, readonly Role[] | 'anyone' | 'device'>;
export type Call = keyof typeof calls;

/** Who may watch which live topic. */
export const topicRoles: Record<LiveTopic, readonly Role[]> = {
	overview: controlRoom,
	spike: controlRoom,
	crowd: controlRoom,
	alarms: roomAndField,
	dispatch: roomAndField,
	levels: controlRoom,
	season: controlRoom
};

/** Whether a role may make a call (for screens: what to offer; the server checks again). */
export function mayCall(role: Role, call: Call): boolean {
	const allowed: readonly Role[] | 'anyone' | 'device' = calls[call];
	if (allowed === 'anyone') return true;
	return allowed !== 'device' && allowed.includes(role);
}
