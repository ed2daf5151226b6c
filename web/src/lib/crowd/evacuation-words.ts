import type { EvacuationScope } from '@marsad/server/contract';
import { m } from '#lib/paraglide/messages.js';
import { local, site } from '#lib/site.svelte.ts';
import { namesOfScope } from './evacuation.ts';

/** Where an evacuation holds, in words. */
export function saidScope(scope: EvacuationScope): string {
	const names = namesOfScope(scope, site.plan);
	if (names === null) return m.evac_scope_site();
	return site.format.names(names.map((name) => (typeof name === 'string' ? name : local(name))));
}
