import type { LocalText, SheetAlarm, SheetGate, StateSheet } from '../../../contract/index.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { ZoneWalk } from './walking.ts';

/** An alarm that this feature raises: what it is, and what is to be done. */
export interface AlarmDefinition {
	key: string;
	priority: 'critical' | 'high' | 'medium' | 'low';
	title: LocalText;
	cause: LocalText;
	consequence: LocalText;
	action: LocalText;
	timeToRespondSeconds: number;
}

/** What this feature asks of the alarms. */
export interface AlarmPort {
	define(definitions: readonly AlarmDefinition[]): void;
	/** The condition of one order, said again and again; `on` false is normal. */
	feed(key: string, dispatch: string, condition: { on: boolean; value: number | null; place: string }): void;
	/** Orders about which one of these alarms is still on. */
	raised(key: string): readonly string[];
	/** The alarm has a team; false when there is no such alarm. */
	link(tx: Tx, alarm: string, links: { team: string; dispatch: string }): Promise<boolean>;
}

/** What the two sheets say of the rest of the house. */
export interface SheetSources {
	alarms(): readonly SheetAlarm[];
	gates(): readonly SheetGate[];
	level(): StateSheet['level'];
}

/** What is known of a zone for walking through it and working in it. */
export interface ZonePort {
	walk(zone: string): ZoneWalk | undefined;
	/** WBGT in degrees Celsius; null: not measured, or not known. */
	heat(zone: string): number | null;
}
