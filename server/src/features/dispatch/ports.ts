import type { Alarm, DispatchCondition, Gate, LocalText, StateSheet } from '../../../contract/index.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { DispatchAlarm } from './alarms.ts';
import type { ZoneWalk } from './walking.ts';

type FedRest = Pick<DispatchCondition, 'limit' | 'unit' | 'zone' | 'quality' | 'mark'> & { names: LocalText };

/** What this feature asks of the alarms. */
export interface AlarmPort {
	/** Before the start. */
	define(definitions: readonly DispatchAlarm[]): void;
	/** One condition of one order, said again and again: what is not repeated is unknown, never over. */
	feed(
		definition: string,
		subject: { kind: 'dispatch'; id: string },
		condition: Pick<DispatchCondition, 'state' | 'value'> & Partial<FedRest>
	): void;
	/** Orders about which one of these alarms is still on. */
	raised(definition: string): readonly string[];
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
