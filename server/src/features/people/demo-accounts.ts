import type { Role } from '../../../contract/index.ts';

/** The accounts of a demo: one for each seat, and a second duty manager for what needs two people. */
export const demoAccounts: readonly { email: string; name: string; role: Role }[] = [
	{ email: 'admin@example.org', name: 'Administrator', role: 'administrator' },
	{ email: 'duty@example.org', name: 'Duty manager', role: 'duty-manager' },
	{ email: 'second@example.org', name: 'Second duty manager', role: 'duty-manager' },
	{ email: 'crowd@example.org', name: 'Crowd controller', role: 'crowd-controller' },
	{ email: 'oncall@example.org', name: 'On-call engineer', role: 'on-call-engineer' },
	{ email: 'lead@example.org', name: 'Team leader', role: 'team-leader' },
	{ email: 'steward@example.org', name: 'Gate steward', role: 'steward' },
	{ email: 'viewer@example.org', name: 'Viewer', role: 'viewer' }
];
