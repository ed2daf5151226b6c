import type { LocalText } from '../../../contract/index.ts';
import { nightOf, type Night } from '../../calendar/night.ts';
import type { SiteNames } from './permits-routes.ts';
import type { StoredPermit } from './permits-store.ts';

/** The languages that a permit can be read in: those of the public page. */
export const permitLanguages = ['ar', 'en', 'bn', 'fr', 'id', 'tr', 'ur'] as const;
export type PermitLanguage = (typeof permitLanguages)[number];

/** Words of a permit; `{…}` is filled in. */
interface PermitTexts {
	/** That nobody is let in by it: demo, laboratory or drill. */
	simulated: string;
	title: string;
	place: string;
	entrances: string;
	day: string;
	hours: string;
	party: string;
	number: string;
	show: string;
	evening: string;
	beforeDawn: string;
	/** Hours; a dash between them would read backwards in Arabic. */
	fromTo: string;
	locale: string;
}

const texts: Record<PermitLanguage, PermitTexts> = {
	ar: {
		simulated: 'محاكاة: هذا ليس حجزاً حقيقياً',
		...{ title: 'تصريح', place: 'المكان', entrances: 'المداخل', day: 'اليوم', hours: 'الوقت' },
		...{ party: 'عدد الأشخاص', number: 'رقم التصريح', locale: 'ar' },
		fromTo: '{from} إلى {to}',
		show: 'أبرز هذا الرمز عند أحد المداخل. يصلح مطبوعاً أو على الشاشة، ودون اتصال.',
		...{ evening: 'ليلة {hijri}، مساء {civil}', beforeDawn: 'ليلة {hijri}، قبل فجر {civil}' }
	},
	en: {
		simulated: 'SIMULATED: this is not a real booking',
		...{ title: 'Permit', place: 'Place', entrances: 'Entrances', day: 'Day', hours: 'Hours' },
		...{ party: 'People', number: 'Permit number', locale: 'en-GB' },
		fromTo: '{from} to {to}',
		show: 'Show this code at one of the entrances. On paper or on a screen, and without a network.',
		...{
			evening: 'night of {hijri}, the evening of {civil}',
			beforeDawn: 'night of {hijri}, before dawn on {civil}'
		}
	},
	bn: {
		simulated: 'অনুশীলন: এটি আসল বুকিং নয়',
		...{ title: 'অনুমতিপত্র', place: 'স্থান', entrances: 'প্রবেশপথ', day: 'দিন', hours: 'সময়' },
		...{ party: 'ব্যক্তি সংখ্যা', number: 'অনুমতিপত্র নম্বর', locale: 'bn' },
		fromTo: '{from} থেকে {to}',
		show: 'যেকোনো একটি প্রবেশপথে এই কোড দেখান। কাগজে বা পর্দায়, ইন্টারনেট ছাড়াও চলবে।',
		...{ evening: '{hijri} রাত, {civil} সন্ধ্যা', beforeDawn: '{hijri} রাত, {civil} ভোরের আগে' }
	},
	fr: {
		simulated: 'SIMULATION : ceci n’est pas une vraie réservation',
		...{ title: 'Permis', place: 'Lieu', entrances: 'Entrées', day: 'Jour', hours: 'Horaire' },
		...{ party: 'Personnes', number: 'Numéro du permis', locale: 'fr' },
		fromTo: '{from} à {to}',
		show: 'Présentez ce code à l’une des entrées. Sur papier ou à l’écran, même sans réseau.',
		...{
			evening: 'nuit du {hijri}, au soir du {civil}',
			beforeDawn: 'nuit du {hijri}, avant l’aube du {civil}'
		}
	},
	id: {
		simulated: 'SIMULASI: ini bukan pemesanan sungguhan',
		...{ title: 'Izin', place: 'Tempat', entrances: 'Pintu masuk', day: 'Hari', hours: 'Waktu' },
		...{ party: 'Jumlah orang', number: 'Nomor izin', locale: 'id' },
		fromTo: '{from} sampai {to}',
		show: 'Tunjukkan kode ini di salah satu pintu masuk. Dicetak atau di layar, tanpa jaringan pun berlaku.',
		...{ evening: 'malam {hijri}, yaitu {civil} malam', beforeDawn: 'malam {hijri}, sebelum fajar {civil}' }
	},
	tr: {
		simulated: 'BENZETİM: bu gerçek bir randevu değildir',
		...{ title: 'İzin', place: 'Yer', entrances: 'Girişler', day: 'Gün', hours: 'Saat' },
		...{ party: 'Kişi sayısı', number: 'İzin numarası', locale: 'tr' },
		fromTo: '{from} ile {to} arası',
		show: 'Bu kodu girişlerden birinde gösterin. Kâğıtta veya ekranda, ağ olmadan da geçerlidir.',
		...{ evening: '{hijri} gecesi, {civil} akşamı', beforeDawn: '{hijri} gecesi, {civil} şafağından önce' }
	},
	ur: {
		simulated: 'آزمائشی: یہ اصل بکنگ نہیں ہے',
		...{ title: 'اجازت نامہ', place: 'مقام', entrances: 'داخلی راستے', day: 'دن', hours: 'وقت' },
		...{ party: 'افراد', number: 'اجازت نامہ نمبر', locale: 'ur' },
		fromTo: '{from} سے {to}',
		show: 'یہ کوڈ کسی ایک داخلی راستے پر دکھائیں۔ کاغذ پر یا اسکرین پر، نیٹ ورک کے بغیر بھی چلے گا۔',
		...{ evening: 'شبِ {hijri}، {civil} کی شام', beforeDawn: 'شبِ {hijri}، {civil} کی فجر سے پہلے' }
	}
};

/** One line of a permit: its name and what it says. */
export interface PermitLine {
	key: 'place' | 'entrances' | 'day' | 'night' | 'hours' | 'party' | 'number';
	name: string;
	value: string;
}

export interface PermitWords {
	language: PermitLanguage;
	direction: 'rtl' | 'ltr';
	title: string;
	show: string;
	/** What stands over it where it is not real. */
	simulated: string;
	lines: PermitLine[];
}

/** What a permit says to a person, in their language. Days are those at the place, each calendar named by its months. */
export function wordsOf(permit: StoredPermit, site: SiteNames, language: PermitLanguage): PermitWords {
	const words = texts[language];
	const place = site.places.find(({ id }) => id === permit.place);
	const name = (text: LocalText) => (language === 'ar' ? text.ar : text.en);
	const { timeZone } = site;
	const dates = createDates(words.locale, timeZone);
	const night = place?.location ? nightOf(permit, place.location, timeZone) : null;
	const lines: PermitLine[] = [
		{ key: 'place', name: words.place, value: place ? name(place.name) : permit.place }
	];
	if (place?.gates?.length)
		lines.push({
			...{ key: 'entrances', name: words.entrances },
			// A gate and its number are not parted by the end of a line.
			value: place.gates.map((gate) => name(gate.name).replaceAll(' ', '\u00a0')).join(' · ')
		});
	lines.push({ key: 'day', name: words.day, value: dates.civil(permit.startsAt) });
	if (night) lines.push({ key: 'night', name: '', value: nightInWords(night, permit, words, dates) });
	const hours = words.fromTo
		.replace('{from}', () => dates.time(permit.startsAt))
		.replace('{to}', () => dates.time(permit.endsAt));
	lines.push({ key: 'hours', name: words.hours, value: hours });
	lines.push({ key: 'party', name: words.party, value: String(permit.party) });
	lines.push({ key: 'number', name: words.number, value: permit.id });
	const direction = language === 'ar' || language === 'ur' ? 'rtl' : 'ltr';
	const { title, show, simulated } = words;
	return { language, direction, title, show, simulated, lines };
}

/** The same as one text in the two languages of the site. */
export function describePermit(permit: StoredPermit, site: SiteNames): LocalText {
	const text = (language: 'ar' | 'en') =>
		wordsOf(permit, site, language)
			.lines.filter(({ key }) => key !== 'entrances')
			.map(({ name, value }) => (name === '' ? value : `${name}: ${value}`))
			.join('\n')
			.slice(0, 400);
	return { ar: text('ar'), en: text('en') };
}

/** The person's language among ours, from `lang=` or `Accept-Language`; Arabic where none is named. */
export function choosePermitLanguage(asked: unknown, accepted: string | undefined): PermitLanguage {
	const known = (tag: string) =>
		permitLanguages.find((language) => language === tag.toLowerCase().slice(0, 2));
	const wished = typeof asked === 'string' ? known(asked) : undefined;
	if (wished) return wished;
	for (const part of (accepted ?? '').split(',').slice(0, 10)) {
		const language = known(part.trim());
		if (language) return language;
	}
	return 'ar';
}

function nightInWords(
	night: Night,
	permit: StoredPermit,
	words: PermitTexts,
	dates: ReturnType<typeof createDates>
): string {
	const sentence = night.part === 'evening' ? words.evening : words.beforeDawn;
	return sentence
		.replace('{hijri}', () => dates.hijri(night.namedAfter))
		.replace('{civil}', () => dates.civil(permit.startsAt));
}

function createDates(locale: string, timeZone: string) {
	const tag = (calendar: string) => `${locale}-u-ca-${calendar}-nu-latn`;
	const civil = new Intl.DateTimeFormat(tag('gregory'), {
		...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone }
	});
	const hijri = new Intl.DateTimeFormat(tag('islamic-umalqura'), {
		...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
	});
	const time = new Intl.DateTimeFormat(tag('gregory'), {
		...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }
	});
	const withoutEra = (format: Intl.DateTimeFormat, at: number) =>
		format
			.formatToParts(at)
			.filter(({ type }) => type !== 'era')
			.map(({ value }) => value)
			.join('')
			.trim();
	return {
		civil: (at: number) => withoutEra(civil, at),
		hijri: (at: number) => withoutEra(hijri, at),
		time: (at: number) => time.format(at)
	};
}
