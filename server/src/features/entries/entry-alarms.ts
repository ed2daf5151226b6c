import type { AlarmPriority, LocalText, Scanner } from '../../../contract/index.ts';
import { scannerClockSkewedMs } from '../../../contract/index.ts';

const text = (ar: string, en: string): LocalText => ({ ar, en });

/** A kind of alarm as the alarms take it. */
interface EntryAlarm {
	key: string;
	kind: 'gate' | 'device';
	priority: AlarmPriority;
	onDelaySeconds: number;
	offDelaySeconds: number;
	timeToRespondSeconds: number;
	title: LocalText;
	cause: LocalText;
	consequence: LocalText;
	action: LocalText;
}

/** What stands of one subject. */
interface EntryCondition {
	state: 'on' | 'off' | 'unknown';
	value: number | null;
	limit?: number | null;
	unit?: string;
	names?: LocalText;
	zone?: string | null;
}

/** Alarms come after entries in the order of the house: they are handed in. */
export interface AlarmDesk {
	define(definitions: readonly EntryAlarm[]): void;
	feed(definition: string, subject: { kind: 'gate' | 'device'; id: string }, condition: EntryCondition): void;
}

export const entryAlarms: readonly EntryAlarm[] = [
	{
		...{ key: 'entry-conflict', kind: 'gate', priority: 'medium' },
		...{ onDelaySeconds: 0, offDelaySeconds: 0, timeToRespondSeconds: 900 },
		title: text(
			'تصريح استُخدم أكثر مما يُسمح، أو ليس منّا',
			'A permit was used more often than allowed, or is none of ours'
		),
		cause: text(
			'دخل به أكثر من العدد المسموح، أو من بوابتين لم تعلم إحداهما بالأخرى، أو دخل أحد برمز لم نوقّعه',
			'It let in more people than it is for, or at two gates that did not know of each other; or a code that we did not sign let somebody in'
		),
		consequence: text(
			'قد يكون التصريح منسوخاً، وفي الداخل أشخاص بلا تصريح',
			'It may have been copied: people without a permit may be inside'
		),
		action: text(
			'راجع قائمة التعارضات وأبلغ مشرف البوابة',
			'Look at the list of conflicts, tell the gate supervisor'
		)
	},
	{
		...{ key: 'scanner-clock', kind: 'device', priority: 'low' },
		...{ onDelaySeconds: 0, offDelaySeconds: 60, timeToRespondSeconds: 3_600 },
		title: text('ساعة الماسح خاطئة', 'The clock of a scanner is wrong'),
		cause: text('تختلف عن ساعة الخادم بأكثر من دقيقة', 'It differs from the server by more than a minute'),
		consequence: text(
			'أوقات الدخول تُصحَّح، لكن الماسح قد يخطئ في نافذة التصريح وهو غير متصل',
			'Times of entry are corrected, but without a network it may misjudge the window of a permit'
		),
		action: text('اضبط ساعة الجهاز تلقائياً', 'Set the clock of the device to automatic')
	}
];

/** Says how each gate and each scanner stands now, whatever came late. */
export function feedEntryAlarms(
	desk: Pick<AlarmDesk, 'feed'>,
	gates: readonly { id: string; zone: string; name: LocalText }[],
	openConflicts: ReadonlyMap<string, number>,
	scanners: readonly Scanner[]
): void {
	for (const { id, zone, name } of gates) {
		const value = openConflicts.get(id) ?? 0;
		desk.feed(
			'entry-conflict',
			{ kind: 'gate', id },
			{ state: value > 0 ? 'on' : 'off', value, limit: 0, unit: 'permits', names: name, zone }
		);
	}
	for (const { id, name, gate, state, clock } of scanners) {
		const isHeard = state === 'online' && clock !== null;
		if (!isHeard && state !== 'silent' && state !== 'revoked') continue;
		desk.feed(
			'scanner-clock',
			{ kind: 'device', id },
			{
				state: state === 'revoked' ? 'off' : !isHeard ? 'unknown' : clock.state === 'skewed' ? 'on' : 'off',
				value: clock ? Math.round(Math.abs(clock.offsetMs) / 1_000) : null,
				...{ limit: scannerClockSkewedMs / 1_000, unit: 'seconds', names: { ar: name, en: name } },
				zone: gates.find((one) => one.id === gate)?.zone ?? null
			}
		);
	}
}
