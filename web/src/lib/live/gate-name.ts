import { feed } from '#lib/live/feed.svelte.ts';
import { local } from '#lib/site.svelte.ts';

/** The name of a gate in the language of the screen; its id before gates were told. */
export function gateName(id: string): string {
	const gate = feed.gateById.get(id);
	return gate ? local(gate.names) : id;
}
