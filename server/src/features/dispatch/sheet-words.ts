import type { LocalText } from '../../../contract/index.ts';

const word = (ar: string, en: string): LocalText => ({ ar, en });

/** Words of the printed state sheet. */
export const sheetWords = {
	title: word('ورقة الحالة', 'State sheet'),
	level: word('المستوى', 'Level'),
	none: word('لا شيء', 'None'),
	unknown: word('غير معروف', 'Unknown'),
	last: word('آخر قراءة', 'last'),
	worst: word('أسوأ احتمال', 'worst case'),
	zones: word('المناطق', 'Zones'),
	zone: word('المنطقة', 'Zone'),
	present: word('الموجودون', 'Present'),
	capacity: word('الطاقة الاستيعابية', 'Capacity'),
	quality: word('الجودة', 'Quality'),
	step: word('الإجراء', 'Action'),
	gates: word('البوابات', 'Gates'),
	gate: word('البوابة', 'Gate'),
	state: word('الحالة', 'State'),
	since: word('منذ', 'Since'),
	confirmed: word('مؤكدة', 'Confirmed'),
	yes: word('نعم', 'Yes'),
	no: word('لا', 'No'),
	alarms: word('الإنذارات', 'Alarms'),
	alarm: word('الإنذار', 'Alarm'),
	priority: word('الأولوية', 'Priority'),
	shelved: word('معلّق حتى', 'shelved until'),
	incidents: word('البلاغات', 'Incidents'),
	kind: word('النوع', 'Kind'),
	place: word('المكان', 'Place'),
	told: word('الجهات المبلَّغة', 'Told'),
	dispatches: word('التوجيهات', 'Dispatches'),
	task: word('المهمة', 'Task'),
	teams: word('الفرق', 'Teams'),
	team: word('الفريق', 'Team'),
	channel: word('قناة اللاسلكي', 'Radio channel'),
	phone: word('الهاتف', 'Phone'),
	marks: { simulated: word('بيانات محاكاة', 'SIMULATED'), exercise: word('تمرين', 'EXERCISE') },
	qualities: {
		live: word('مباشر', 'live'),
		partial: word('جزئي', 'partial'),
		stale: word('قديم', 'stale'),
		unknown: word('غير معروف', 'unknown')
	},
	gateStates: {
		open: word('مفتوحة', 'open'),
		metered: word('دخول على دفعات', 'metered'),
		held: word('موقوفة مؤقتاً', 'held'),
		closed: word('مغلقة', 'closed')
	},
	priorities: {
		critical: word('◆ حرج', '◆ critical'),
		high: word('▲ عالٍ', '▲ high'),
		medium: word('■ متوسط', '■ medium'),
		low: word('● منخفض', '● low')
	},
	kinds: {
		'lost-person': word('تائه', 'Lost person'),
		collapse: word('سقوط أو إغماء', 'Collapse'),
		fight: word('مشاجرة', 'Fight'),
		heat: word('إجهاد حراري', 'Heat stress'),
		other: word('أخرى', 'Other')
	},
	agencies: {
		'red-crescent': word('الهلال الأحمر', 'Red Crescent'),
		'civil-defence': word('الدفاع المدني', 'Civil Defence'),
		'911': word('911', '911')
	},
	states: {
		reserved: word('محجوز', 'reserved'),
		sent: word('وُجّه', 'sent'),
		acknowledged: word('أقرّ', 'acknowledged'),
		'on-the-way': word('في الطريق', 'on the way'),
		'on-the-spot': word('باشر الموقع', 'on the spot'),
		done: word('أنهى', 'done'),
		cannot: word('تعذّر', 'cannot'),
		cancelled: word('أُلغي', 'cancelled')
	},
	teamStates: {
		free: word('متاح', 'free'),
		busy: word('مشغول', 'busy'),
		'off-duty': word('خارج المناوبة', 'off duty')
	}
} as const;
