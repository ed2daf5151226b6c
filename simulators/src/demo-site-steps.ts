import type { ActionStep } from '@marsad/server/contract';

const gateSupervisor = { ar: 'مشرف البوابة 5', en: 'Supervisor of gate 5' };
const controlRoom = { ar: 'غرفة التحكم', en: 'Control room' };
const dutyManager = { ar: 'المدير المناوب', en: 'Duty manager' };

/** Steps that were written for one zone; all others go by the usual ones. */
export const writtenSteps: Readonly<Record<string, readonly ActionStep[]>> = {
	'plaza-5': [
		{
			percent: 60,
			density: 2,
			action: { ar: 'راقب الساحة 5 والمنحدرين بجانبها', en: 'Watch Plaza 5 and the ramps beside it' },
			who: controlRoom,
			asks: 'watch'
		},
		{
			percent: 75,
			density: 3,
			timeToCapacitySeconds: 600,
			action: { ar: 'أدخل على دفعات من البوابة 5', en: 'Meter gate 5' },
			who: gateSupervisor,
			asks: 'meter'
		},
		{
			percent: 85,
			density: 3.5,
			timeToCapacitySeconds: 420,
			action: {
				ar: 'وجّه القادمين إلى البوابتين 4 و6، فريق احتياط جاهز',
				en: 'Divert to gates 4 and 6, team on stand-by'
			},
			who: { ar: 'مشرفو الساحة الجنوبية', en: 'Stewards of the south forecourt' },
			asks: 'divert'
		},
		{
			percent: 90,
			density: 4,
			timeToCapacitySeconds: 240,
			action: { ar: 'واحد يخرج وواحد يدخل، افتح المخرج الجنوبي', en: 'One in, one out, open the south exit' },
			who: gateSupervisor,
			asks: 'one-in-one-out'
		},
		{
			percent: 95,
			density: 4.5,
			timeToCapacitySeconds: 120,
			action: { ar: 'أوقف الدخول من البوابة 5، وجّه فريقاً', en: 'Hold gate 5, dispatch a team' },
			who: { ar: 'مشرف البوابة 5 وفريق الميدان', en: 'Supervisor of gate 5 and a field team' },
			asks: 'hold'
		},
		{
			percent: 100,
			density: 5,
			action: { ar: 'أوقف البرنامج', en: 'Stop the programme' },
			who: dutyManager,
			asks: 'stop'
		}
	]
};
