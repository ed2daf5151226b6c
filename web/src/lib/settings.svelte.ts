import { overwriteGetLocale } from '#lib/paraglide/runtime.js';
import { locales, type Locale } from '#lib/format.ts';

export type Theme = 'day' | 'night';

function read(key: string): string | null {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

/** Remembers a choice; a private window that forbids storage only forgets it. */
function remember(key: string, value: string): void {
	try {
		localStorage.setItem(key, value);
		if (sessionStorage.getItem(key) !== null) sessionStorage.setItem(key, value);
	} catch {
		// The choice holds until the page is closed.
	}
}

/** Language, palette and shortcuts of this browser. `boot.js` has put the first values on the page. */
class Settings {
	#locale = $state<Locale>(
		locales.find((each) => each === globalThis.document?.documentElement.lang) ?? 'ar'
	);
	#theme = $state<Theme>(globalThis.document?.documentElement.dataset['theme'] === 'day' ? 'day' : 'night');
	#shortcuts = $state(globalThis.localStorage === undefined || read('shortcuts') !== 'off');

	get locale(): Locale {
		return this.#locale;
	}
	set locale(locale: Locale) {
		this.#locale = locale;
		document.documentElement.lang = locale;
		document.documentElement.dir = locale === 'ar' ? 'rtl' : 'ltr';
		remember('lang', locale);
	}
	get theme(): Theme {
		return this.#theme;
	}
	set theme(theme: Theme) {
		this.#theme = theme;
		document.documentElement.dataset['theme'] = theme;
		remember('theme', theme);
	}
	get shortcuts(): boolean {
		return this.#shortcuts;
	}
	set shortcuts(on: boolean) {
		this.#shortcuts = on;
		remember('shortcuts', on ? 'on' : 'off');
	}
}

export const settings = new Settings();

// Every message asks for the language while it is drawn: a switch redraws the texts, without a reload.
overwriteGetLocale(() => settings.locale);
