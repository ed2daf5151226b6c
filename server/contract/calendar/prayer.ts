/** Ways of reckoning prayer times that a site can name. */
export const prayerMethods = [
	...(['umm-al-qura', 'muslim-world-league', 'egyptian', 'karachi', 'dubai', 'kuwait', 'qatar'] as const),
	...(['singapore', 'turkey', 'north-america'] as const)
] as const;
export type PrayerMethod = (typeof prayerMethods)[number];

export const prayerNames = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const;
export type PrayerName = (typeof prayerNames)[number];

/** One day's times, epoch ms. */
export type PrayerTimesOfDay = Record<PrayerName | 'sunrise', number>;
