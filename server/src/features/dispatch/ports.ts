import type { Alarm, Gate, StateSheet } from '../../../contract/index.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { ZoneWalk } from './walking.ts';

/** What this feature asks of the alarms. */
export interface AlarmPort {
	/** The alarm has a team; false when there is no such alarm. */
	link(tx: Tx, alarm: string, links: { team: string; dispatch: string }): Promise<boolean>;
}

/** What the two sheets say of the rest of the house. */
export interface SheetSources {
	/** Those that stand, shelved ones with them. */
	alarms(): readonly Alarm[];
	gates(): readonly Gate[];
	level(): StateSheet['level'];
}

/** What is known of a zone for walking through it and working in it. */
export interface ZonePort {
	walk(zone: string): ZoneWalk | undefined;
	/** WBGT in degrees Celsius; null: not measured, or not known. */
	heat(zone: string): number | null;
}
