import type { Team, TeamChange, TeamLeaders, TeamRequest } from '@marsad/server/contract';

/** A team as it stands in the form: texts as they were typed. */
export interface TeamDraft {
	nameAr: string;
	nameEn: string;
	channel: string;
	phone: string;
	members: number | null;
	home: string;
	shiftFrom: string;
	shiftTo: string;
	/** E-mail addresses of those who lead it. */
	leaders: string[];
}
export type DraftField = 'nameAr' | 'nameEn' | 'channel' | 'phone' | 'members' | 'shift';

export const membersMax = 200;
const time = /^([01]\d|2[0-3]):[0-5]\d$/;

export function emptyDraft(): TeamDraft {
	const texts = { nameAr: '', nameEn: '', channel: '', phone: '', home: '', shiftFrom: '', shiftTo: '' };
	return { ...texts, members: null, leaders: [] };
}

/** The form of a team that is there already; its leaders are known by their accounts. */
export function draftOf(team: Team, known: TeamLeaders['leaders']): TeamDraft {
	const own = new Set(team.leaders.map(({ id }) => id));
	return {
		...{ nameAr: team.names.ar, nameEn: team.names.en, channel: team.channel, phone: team.phone },
		...{ members: team.members, home: team.home ?? '' },
		...{ shiftFrom: team.shift?.from ?? '', shiftTo: team.shift?.to ?? '' },
		leaders: known.filter(({ id }) => own.has(id)).map(({ email }) => email)
	};
}

/** What is missing or wrong, in the order of the form. A shift is whole or none. */
export function faultsOf(draft: TeamDraft): DraftField[] {
	const { members, shiftFrom, shiftTo } = draft;
	const texts = (['nameAr', 'nameEn', 'channel', 'phone'] as const).filter((key) => draft[key].trim() === '');
	const hasMembers = Number.isInteger(members) && members! >= 1 && members! <= membersMax;
	const hasShift = shiftFrom !== '' || shiftTo !== '';
	const isShift = !hasShift || (time.test(shiftFrom) && time.test(shiftTo) && shiftFrom !== shiftTo);
	return [...texts, ...(hasMembers ? [] : ['members' as const]), ...(isShift ? [] : ['shift' as const])];
}

/** The body that makes the team. */
export function requestOf(draft: TeamDraft): TeamRequest {
	const { nameAr, nameEn, channel, phone, members, home, shiftFrom, shiftTo, leaders } = draft;
	return {
		names: { ar: nameAr.trim(), en: nameEn.trim() },
		...{ channel: channel.trim(), phone: phone.trim(), members: members ?? 1, leaders: [...leaders] },
		home: home === '' ? null : home,
		shift: shiftFrom === '' ? null : { from: shiftFrom, to: shiftTo }
	};
}

/** The body that changes it as it was seen, or ends it. */
export function changeOf(draft: TeamDraft, team: Pick<Team, 'version'>, retired = false): TeamChange {
	return { ...requestOf(draft), expectedVersion: team.version, ...(retired ? { retired } : {}) };
}
