import type { LocalText } from '../../../contract/index.ts';

/** One thing that is wrong with a site file, in plain words. An error: it cannot be used. A warning: look at it. */
export interface Finding {
	level: 'error' | 'warning';
	text: LocalText;
}

export const fault = (en: string, ar: string): Finding => ({ level: 'error', text: { ar, en } });
export const warning = (en: string, ar: string): Finding => ({ level: 'warning', text: { ar, en } });
