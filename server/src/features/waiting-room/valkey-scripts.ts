import { readFileSync } from 'node:fs';
import type { Valkey } from '../../platform/valkey/valkey.ts';
import type { RoomKey } from './waiting-room-store.ts';

const names = [
	...([
		'adopt',
		'bind',
		'claim',
		'extend',
		'finish',
		'freeze',
		'get',
		'join',
		'journal',
		'journalled'
	] as const),
	...(['lend', 'look', 'place', 'place-begin', 'reset', 'restore', 'restore-begin', 'restore-end'] as const),
	...(['round', 'written'] as const)
] as const;
export type ScriptName = (typeof names)[number];

/** Why a script did nothing: see `open` in lua/common.lua, and the scripts themselves. */
export class ScriptRefused extends Error {
	readonly reason: 'empty' | 'epoch' | 'term';
	/** The epoch or the term in force. */
	readonly inForce: number;
	constructor(reason: 'empty' | 'epoch' | 'term', inForce: number) {
		super(`refused: ${reason}`);
		this.reason = reason;
		this.inForce = inForce;
	}
}

export type RunScript = (name: ScriptName, ...args: (string | number)[]) => Promise<unknown[]>;

const read = (name: string) => readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), 'utf8');

/**
 * The queue's functions on the server, over the keys of one room. Resolves with the whole reply, its first word
 * included. @throws ScriptRefused, or whatever the connection throws
 */
export function createQueueScripts(valkey: Valkey, key: RoomKey): RunScript {
	const common = read('common');
	const merge = read('merge');
	const merging = new Set<ScriptName>(['adopt', 'restore']);
	// Braces in a name would end the hash tag early.
	const tag = `${encodeURIComponent(key.season)}:${encodeURIComponent(key.room)}`;
	const keys = [
		...['room', 'tickets', 'holders', 'waiting', 'late', 'called', 'admitted', 'gone', 'dirty', 'blocks'],
		'origins'
	].map((part) => `marsad:{${tag}}:${part}`);
	const scripts = new Map(
		names.map((name) => {
			const lua = [common, ...(merging.has(name) ? [merge] : []), read(name)].join('\n');
			return [name, valkey.script(`marsadQueue-${name}`, lua, keys.length)];
		})
	);
	return async (name, ...args) => {
		const reply = (await scripts.get(name)!(keys, args)) as unknown[];
		const [word, inForce] = reply;
		if (word === 'epoch' || word === 'term' || word === 'empty')
			throw new ScriptRefused(word, Number(inForce ?? 0));
		return reply;
	};
}
