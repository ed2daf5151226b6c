import type { Alarm, AlarmPriority, AlarmSummary } from '@marsad/server/contract';
import { comparePriority } from '../priority.ts';

/** One tone of an earcon: hertz (500 to 3,000 carries and is heard by old ears), start and length in seconds. */
export interface Tone {
	hertz: number;
	start: number;
	seconds: number;
}
export type Earcon = 'urgent' | 'warning' | 'notice';

/** Three sounds that differ in number and direction of their tones, not only in pitch. */
export const earcons: Readonly<Record<Earcon, readonly Tone[]>> = {
	urgent: [0, 0.16, 0.32, 0.62, 0.78, 0.94].map((start, i) => ({
		hertz: [880, 1_175, 1_568][i % 3]!,
		start,
		seconds: 0.13
	})),
	warning: [
		{ hertz: 1_047, start: 0, seconds: 0.2 },
		{ hertz: 784, start: 0.26, seconds: 0.28 }
	],
	notice: [{ hertz: 659, start: 0, seconds: 0.3 }]
};

/** A low alarm makes no sound: it can wait until somebody looks. */
export function earconOf(priority: AlarmPriority): Earcon | null {
	return ({ critical: 'urgent', high: 'warning', medium: 'notice', low: null } as const)[priority];
}

/** What is to be heard now, and of which alarm; `alarm` null is the flood itself. */
export interface DueSound {
	seq: number;
	priority: AlarmPriority;
	alarm: string | null;
}

/**
 * The one sound that is due, and up to which number everything counts as heard. Nothing is played twice: after a lost
 * link or a reload only what has a higher number than the last one heard sounds, once, as its worst.
 * @param heard number of the last sound heard in this browser; null: it is new here, and what stands is seen, not heard
 */
export function dueSound(
	heard: number | null,
	summary: AlarmSummary,
	alarms: readonly Alarm[]
): { heard: number; due: DueSound | null } {
	const fresh: DueSound[] = alarms
		.filter((alarm) => alarm.soundSeq > (heard ?? Infinity) && alarm.state === 'unacknowledged')
		.map((alarm) => ({ seq: alarm.soundSeq, priority: alarm.priority, alarm: alarm.id }));
	const { sound } = summary;
	if (sound && sound.alarm === null && sound.seq > (heard ?? Infinity))
		fresh.push({ seq: sound.seq, priority: sound.priority, alarm: null });
	const newest = Math.max(sound?.seq ?? 0, ...alarms.map((alarm) => alarm.soundSeq));
	fresh.sort((a, b) => comparePriority(a.priority, b.priority) || b.seq - a.seq);
	return { heard: newest, due: fresh[0] ?? null };
}
