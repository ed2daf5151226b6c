import type { HotApp } from './http/hot-app.ts';
import type { StaffApp } from './http/staff-app.ts';

/** What a feature gives to the application; everything but the name is optional. */
export interface Feature {
	name: string;
	/** Public routes, in a scope without the plugins of the rest. */
	hotRoutes?(app: HotApp): void;
	/** Routes under /api/v1: session, role and cross-site checks stand in front of them. */
	staffRoutes?(app: StaffApp): void;
	/** Loads state and starts timers. Called in feature order, after migrations, before listening. */
	start?(): Promise<void>;
	/** Undoes `start`, in reverse order. */
	stop?(): Promise<void>;
}
