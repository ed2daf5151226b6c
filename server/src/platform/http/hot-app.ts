import type { StaffApp } from './staff-app.ts';

/** The scope of hot public routes: no cookie, helmet or rate-limit plugin in front of them. */
export type HotApp = StaffApp;
