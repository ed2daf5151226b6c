import type { AlarmPriority, LocalText } from '../../../contract/index.ts';
import { gateDefinitions } from './gate-definitions.ts';
import type { Definition } from './model.ts';

const text = (ar: string, en: string): LocalText => ({ ar, en });
const seconds = { unit: 'seconds', deadband: 0, crowd: false } as const;

/** Priority of each step of a zone, mildest first, by the share of its capacity. */
export function stepPriority(percent: number): AlarmPriority {
	if (percent >= 95) return 'critical';
	if (percent >= 85) return 'high';
	return percent >= 75 ? 'medium' : 'low';
}
const crowdSteps = {
	crowd: true,
	unit: 'percent',
	deadband: 3,
	onDelaySeconds: 15,
	offDelaySeconds: 60
} as const;

const zoneDefinitions: readonly Definition[] = [
	{
		...{ key: 'zone-step', kind: 'zone', priorities: ['low', 'medium', 'high', 'critical'], ...crowdSteps },
		timeToRespondSeconds: 120,
		title: text('المنطقة بلغت خطوة من خطواتها', 'A zone has reached one of its action steps'),
		cause: text(
			'عدد الموجودين أو كثافتهم أو سرعة امتلاء المنطقة',
			'People, density or the pace at which it fills'
		),
		consequence: text('تضيق المنطقة ويصعب الخروج منها', 'The zone becomes tight, and hard to leave'),
		action: text('نفّذ الخطوة المكتوبة لهذه المنطقة', 'Do what is written for this step')
	},
	{
		...{ key: 'zone-density', kind: 'zone', priorities: ['high', 'critical'], crowd: true },
		...{ unit: 'people/m2', deadband: 0.3, onDelaySeconds: 5, offDelaySeconds: 120 },
		timeToRespondSeconds: 60,
		title: text('كثافة خطرة', 'Dangerous density'),
		cause: text('عدد كبير من الناس في المتر المربع', 'Too many people in a square metre'),
		consequence: text('خطر التدافع', 'Danger of a crush'),
		action: text(
			'أوقف التفويج ووجّه فريقاً وافتح مسار الخروج',
			'Hold the feed, send a team, open the release route'
		)
	},
	{
		...{ key: 'zone-fills', kind: 'zone', priorities: ['high'], crowd: true },
		...{ unit: 'seconds', deadband: 60, onDelaySeconds: 15, offDelaySeconds: 60 },
		timeToRespondSeconds: 60,
		title: text('تمتلئ المنطقة قبل أن يمكن إيقاف التفويج', 'The zone fills sooner than its feed can be held'),
		cause: text('الداخلون أسرع من زمن الإيقاف', 'People come faster than the time to close allows'),
		consequence: text('تتجاوز المنطقة طاقتها', 'The zone will exceed its capacity'),
		action: text('أوقف التفويج الآن', 'Hold the feed now')
	},
	{
		...{ key: 'zone-silent', kind: 'zone', priorities: ['low', 'medium', 'high', 'critical'], crowd: true },
		...{ unit: 'people', deadband: 0, onDelaySeconds: 0, offDelaySeconds: 10 },
		timeToRespondSeconds: 180,
		title: text('عدّادات المنطقة منقطعة', 'Nobody counts this zone'),
		cause: text('لم تصل قراءة من عدّادات المنطقة', 'No reading has come from its counters'),
		consequence: text(
			'عدد الموجودين غير معروف وقد تكون ممتلئة',
			'The number of people is unknown: it may be full'
		),
		action: text('أرسل من ينظر ويعدّ، ثم سجّل إعادة العد', 'Send somebody to look, then enter a recount')
	},
	{
		...{ key: 'zone-partial', kind: 'zone', priorities: ['medium'], crowd: false },
		...{ unit: 'devices', deadband: 0, onDelaySeconds: 15, offDelaySeconds: 30 },
		timeToRespondSeconds: 600,
		title: text('عدّادات عدة منقطعة في منطقة واحدة', 'Several counters of one zone are silent'),
		cause: text('انقطاع مشترك: كهرباء أو شبكة أو جسر', 'One cause for all: power, network or a bridge'),
		consequence: text('عدد المنطقة ناقص', 'The number of the zone is incomplete'),
		action: text('افحص ما يجمعها، وأرسل من ينظر', 'Check what they share, send somebody to look')
	},
	{
		...{ key: 'zone-disagrees', kind: 'zone', priorities: ['medium'], crowd: true },
		...{ unit: 'people', deadband: 0, onDelaySeconds: 60, offDelaySeconds: 60 },
		timeToRespondSeconds: 600,
		title: text('مصادر العد متعارضة', 'Sources of this zone disagree'),
		cause: text('الكاميرا والأبواب تعطي أعداداً مختلفة', 'Camera and doors give different numbers'),
		consequence: text('أحد العددين خاطئ', 'One of the two numbers is wrong'),
		action: text('انظر في الموقع وسجّل إعادة العد', 'Look on the spot and enter a recount')
	},
	{
		...{ key: 'zone-recount', kind: 'zone', priorities: ['low'], crowd: true },
		...{ unit: 'people', deadband: 0, onDelaySeconds: 30, offDelaySeconds: 0 },
		timeToRespondSeconds: 1_800,
		title: text('إعادة العد مستحقة', 'A recount is due'),
		cause: text('انحرف عدّ المنطقة عن الواقع', 'The counting of this zone has drifted'),
		consequence: text('العدد المعروض غير صحيح', 'The number shown is wrong'),
		action: text('عُدّ الموجودين وسجّل إعادة العد مع السبب', 'Count, and enter a recount with its reason')
	},
	{
		...{ key: 'zone-heat', kind: 'zone', priorities: ['high', 'critical'], crowd: false },
		...{ unit: 'celsius', deadband: 1, onDelaySeconds: 60, offDelaySeconds: 300 },
		timeToRespondSeconds: 600,
		title: text('إجهاد حراري', 'Heat stress'),
		cause: text('درجة الحرارة الرطبة مرتفعة في منطقة مكشوفة', 'High wet-bulb temperature in an open zone'),
		consequence: text('خطر على الناس والفرق', 'People and teams are in danger'),
		action: text('وزّع الماء وافتح الظل وقصّر نوبات الفرق', 'Water, shade, shorter turns for the teams')
	}
];

const deviceDefinitions: readonly Definition[] = [
	{
		...{ key: 'device-gone', kind: 'device', priorities: ['medium'], ...seconds },
		...{ onDelaySeconds: 0, offDelaySeconds: 10 },
		timeToRespondSeconds: 900,
		title: text('عدّاد منقطع', 'A counter is silent'),
		cause: text('لم يرسل الجهاز شيئاً منذ ثلاث فترات', 'The device has sent nothing for three of its periods'),
		consequence: text('عدد المنطقة ناقص', 'The number of its zone is incomplete'),
		action: text('افحص الجهاز والكهرباء والشبكة', 'Check the device, its power and network')
	},
	{
		...{ key: 'device-clock', kind: 'device', priorities: ['low'], crowd: false, unit: 'seconds' },
		...{ deadband: 10, onDelaySeconds: 60, offDelaySeconds: 60 },
		timeToRespondSeconds: 3_600,
		title: text('ساعة الجهاز خاطئة', 'The clock of a device is wrong'),
		cause: text('تختلف ساعة الجهاز عن ساعة الخادم', 'Its clock differs from that of the server'),
		consequence: text('قد تُرفض قراءاته', 'Its readings may be refused'),
		action: text('اضبط وقت الجهاز', 'Set the time of the device')
	},
	{
		...{ key: 'counter-suspect', kind: 'device', priorities: ['low'], ...seconds },
		...{ onDelaySeconds: 60, offDelaySeconds: 60 },
		timeToRespondSeconds: 3_600,
		title: text('عدّاد يبدو خاطئاً', 'A counter looks wrong'),
		cause: text('اتجاهه معكوس أو لا يتغيّر عدده', 'Its directions look swapped, or its number stands still'),
		consequence: text('قد يكون عدد المنطقة خاطئاً', 'The number of its zone may be wrong'),
		action: text('افحص تركيبه واتجاهه ثم أعد العد', 'Check how it is mounted, then recount')
	},
	{
		...{ key: 'device-refused', kind: 'device', priorities: ['medium'], crowd: false },
		...{ unit: 'messages/min', deadband: 10, onDelaySeconds: 0, offDelaySeconds: 120 },
		timeToRespondSeconds: 900,
		title: text('رسائل كثيرة مرفوضة من جهاز', 'Many messages of a device are refused'),
		cause: text('الرسائل تالفة أو كثيرة أو من مصدر مجهول', 'They are broken, too many, or not expected'),
		consequence: text('لا تُحتسب هذه القراءات', 'These readings are not counted'),
		action: text(
			'انظر صفحة الأجهزة وأوقف المصدر إن لزم',
			'See the page of devices; stop the source if need be'
		)
	}
];

const partDefinitions: readonly Definition[] = [
	{
		...{ key: 'database', kind: 'part', priorities: ['high', 'critical'], crowd: false },
		...{ unit: 'milliseconds', deadband: 200, onDelaySeconds: 5, offDelaySeconds: 30 },
		timeToRespondSeconds: 120,
		title: text('قاعدة البيانات بطيئة', 'The database is slow'),
		cause: text('تنتظر الطلبات دورها طويلاً', 'Calls wait long for their turn'),
		consequence: text('يتأخر الحجز والعد والأوامر', 'Booking, counting and commands are late'),
		action: text('خفّف الحمل وافحص قاعدة البيانات', 'Lighten the load, check the database')
	},
	{
		...{ key: 'broker', kind: 'part', priorities: ['critical'], ...seconds },
		...{ onDelaySeconds: 5, offDelaySeconds: 10 },
		timeToRespondSeconds: 120,
		title: text('وسيط الرسائل غير متصل', 'The message broker is away'),
		cause: text('انقطع الاتصال بوسيط العدّادات', 'The connection to the broker of the counters is lost'),
		consequence: text('لا تصل أي قراءة ولا تُحدّث اللافتات', 'No reading arrives, and signs are not told'),
		action: text('أعد تشغيل الوسيط أو الشبكة', 'Bring back the broker or the network')
	},
	{
		...{ key: 'counting', kind: 'part', priorities: ['critical'], ...seconds },
		...{ onDelaySeconds: 15, offDelaySeconds: 5 },
		timeToRespondSeconds: 120,
		title: text('لا أحد يحتسب القراءات', 'Nobody counts the readings'),
		cause: text('لا توجد نسخة من الخادم تتولى العد', 'No instance of the server leads the counting'),
		consequence: text('أعداد المناطق لا تتغيّر', 'The numbers of all zones stand still'),
		action: text('افحص الخادم وقاعدة البيانات', 'Check the server and the database')
	},
	{
		...{ key: 'work-ratio', kind: 'part', priorities: ['high', 'critical'], crowd: false },
		...{ unit: 'ratio', deadband: 0, onDelaySeconds: [120, 0], offDelaySeconds: 120 },
		timeToRespondSeconds: 120,
		title: text('الطلبات تتراكم أسرع مما نخدم', 'Losing ground: more is offered than served'),
		cause: text(
			'المخدومون أقل من الطلبات خلف غرفة الانتظار',
			'Served ÷ offered behind the waiting room is below 1'
		),
		consequence: text('يطول الانتظار وتفشل الحجوزات', 'Waits grow, and bookings fail'),
		action: text('خفّض معدّل السماح أو ارفع مستوى التخفيف', 'Lower the admission rate, or go a level up')
	},
	{
		...{ key: 'booking-slow', kind: 'part', priorities: ['high'], crowd: false },
		...{ unit: 'seconds', deadband: 0.2, onDelaySeconds: 300, offDelaySeconds: 300 },
		timeToRespondSeconds: 300,
		title: text('الحجز بطيء', 'Booking is slow'),
		cause: text(
			'5 من كل 100 حجز تستغرق أكثر من ثانيتين',
			'Five of a hundred bookings need more than two seconds'
		),
		consequence: text('يتأخر الناس ويعيدون المحاولة', 'People wait, and try again'),
		action: text('انتقل إلى مستوى الحماية', 'Go to the level "protect"')
	}
];

/** Every rule of the house in one table. */
export const houseDefinitions: readonly Definition[] = [
	...zoneDefinitions,
	...deviceDefinitions,
	...partDefinitions,
	...gateDefinitions
];
