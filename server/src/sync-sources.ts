import {
	calls,
	type Alarm,
	type Scanner,
	type SyncList,
	type SyncListChange,
	type SyncSafety,
	type Zone
} from '../contract/index.ts';
import type { Alarms } from './features/alarms/index.ts';
import type { Dispatching } from './features/dispatch/index.ts';
import type { Entries } from './features/entries/index.ts';
import type { Gates } from './features/gates/index.ts';
import type { Levels } from './features/levels/index.ts';
import type { Permits } from './features/permits/index.ts';
import type { Record as TheRecord } from './features/record/index.ts';
import type { Site } from './features/site/index.ts';
import type { Zones } from './features/zones/index.ts';
import type { SyncSet, SyncSource, SyncThing } from './sync/index.ts';

/** What the pull brings out of the features; who sees a kind is who may make its own call. */
export interface PulledFeatures {
	site: Site;
	zones: Pick<Zones, 'list'>;
	gates: Pick<Gates, 'list' | 'evacuation'>;
	permits: Pick<Permits, 'signedList' | 'revocationsSince'>;
	entries: Pick<Entries, 'settingsOf' | 'scanners' | 'gateOf'>;
	levels: Pick<Levels, 'state'>;
	alarms: Pick<Alarms, 'list'>;
	dispatch: Pick<Dispatching, 'shown'>;
	record: Pick<TheRecord, 'page'>;
}

/** Every kind there is, in no order: the bundle's is that of the contract. */
export function syncSources(of: PulledFeatures): SyncSource[] {
	return [...crowdSources(of), ...scannerSources(of), ...roomSources(of)];
}

const byId = <T extends { id: string }>(things: readonly T[]): SyncThing[] =>
	things.map((value) => ({ id: value.id, value }));
const one = (id: string, value: unknown): SyncThing[] => [{ id, value }];
const shared = (read: SyncSet['read'], stable?: SyncSet['stable']): SyncSet => ({
	...{ type: 'set', shared: true, read },
	...(stable ? { stable } : {})
});

function crowdSources({ site, zones, gates }: PulledFeatures): SyncSource[] {
	const withoutAge = (zone: unknown) => ({ ...(zone as Zone), ageSeconds: null, at: null });
	return [
		{
			kind: 'site',
			after: [],
			who: calls['GET /api/v1/site'],
			source: shared(() => one(site.id, site.plan))
		},
		{
			...{ kind: 'zones', after: ['site'], who: calls['GET /api/v1/zones'] },
			source: shared(() => byId(zones.list()), withoutAge)
		},
		{
			...{ kind: 'gates', after: ['site', 'zones'], who: calls['GET /api/v1/gates'] },
			source: shared(() => byId(gates.list()))
		},
		{
			...{ kind: 'evacuation', after: ['gates'], who: calls['GET /api/v1/evacuation'] },
			source: shared(() => one('evacuation', gates.evacuation()))
		}
	];
}

function scannerSources({ gates, permits, entries }: PulledFeatures): SyncSource[] {
	const list = (kind: 'keys' | 'revocations') =>
		shared(() => {
			const signed = permits.signedList(kind);
			if (!signed) return [];
			const { version, issuedAt, nextUpdateAt, body } = signed;
			const value: SyncList = { version, issuedAt, nextUpdateAt, signed: body.toString('base64') };
			return one(kind, value);
		});
	const change = async (base: number): Promise<SyncListChange | null> => {
		const made = await permits.revocationsSince(base);
		return made && { base, change: made.toString('base64') };
	};
	const safetyOf = async (scanner: string): Promise<SyncSafety> => {
		const { active } = gates.evacuation();
		const gate = await entries.gateOf(scanner);
		const isHere = active !== null && gate !== undefined && active.gates.includes(gate);
		return { evacuation: isHere ? { startedAt: active.startedAt } : null };
	};
	return [
		{
			...{ kind: 'evacuation', after: [], who: ['scanner'] },
			source: {
				...{ type: 'set', shared: false },
				read: async ({ id }) => one('evacuation', await safetyOf(id))
			}
		},
		{ ...{ kind: 'keys', after: [], who: ['scanner'] }, source: list('keys') },
		{
			...{ kind: 'revocations', after: ['keys'], who: ['scanner'] },
			source: { ...list('revocations'), since: change }
		},
		{
			...{ kind: 'entry-settings', after: ['evacuation', 'keys', 'revocations'], who: ['scanner'] },
			source: {
				...{ type: 'set', shared: false },
				read: async ({ id }) => {
					const settings = await entries.settingsOf(id);
					return settings ? one(id, settings) : [];
				},
				stable: (settings) => ({ ...(settings as object), serverAt: 0, nextSeq: 0 })
			}
		},
		{
			...{ kind: 'scanners', after: ['gates'], who: calls['GET /api/v1/scanners'] },
			source: shared(() => byId(entries.scanners().filter(({ state }) => state !== 'revoked')), stableScanner)
		}
	];
}

/** What a scanner says of itself comes with every batch: how it stands is the news. */
function stableScanner(value: unknown): unknown {
	const { id, name, gate, state, clock, setAside } = value as Scanner;
	return { id, name, gate, state, clock: clock?.state, setAside };
}

function roomSources({ levels, alarms, dispatch, record }: PulledFeatures): SyncSource[] {
	const withoutMoment = (alarm: unknown) => {
		const { evidence, ...rest } = alarm as Alarm;
		return { ...rest, evidence: { ...evidence, at: 0 } };
	};
	return [
		{
			...{ kind: 'levels', after: [], who: calls['GET /api/v1/levels'] },
			source: shared(() => one('levels', levels.state()))
		},
		{
			...{ kind: 'alarms', after: ['zones', 'gates', 'levels'], who: calls['GET /api/v1/alarms'] },
			source: shared(() => byId(alarms.list()), withoutMoment)
		},
		{
			...{ kind: 'teams', after: ['zones'], who: calls['GET /api/v1/teams'] },
			source: shared(() => byId(dispatch.shown().teams))
		},
		{
			...{ kind: 'incidents', after: ['zones', 'teams'], who: calls['GET /api/v1/incidents'] },
			source: shared(() => byId(dispatch.shown().incidents))
		},
		{
			...{
				kind: 'dispatches',
				after: ['teams', 'alarms', 'incidents'],
				who: calls['GET /api/v1/dispatches']
			},
			source: shared(() => byId(dispatch.shown().dispatches))
		},
		{
			...{ kind: 'record', after: [], who: calls['GET /api/v1/record'] },
			source: { type: 'log', page: (query) => record.page(query) }
		}
	];
}
