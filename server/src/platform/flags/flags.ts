import { flagNames, switchableFlags, type Flag } from '../../../contract/index.ts';

/** How the source is: `at` is when it last answered (epoch ms), null when never. */
export interface FlagSourceState {
	/** `refused`: it answers, but not to us (401, 403). */
	state: 'not-configured' | 'in-step' | 'unreachable' | 'refused';
	at: number | null;
}

/** Where flags come from when no level switches them off: Unleash, or nothing. */
export interface FlagSource {
	/** Undefined when the source does not know the flag. */
	isEnabled(flag: Flag): boolean | undefined;
	state(): FlagSourceState;
	/** Told whenever a flag or the state changed. */
	onChange(listener: () => void): () => void;
}

/** The one flag port: level override first, then the source (Unleash), then the written default. */
export interface Flags {
	isOn(flag: Flag): boolean;
	/** Every flag, now or as it would be under another override. */
	all(override?: ReadonlySet<string>): Record<Flag, boolean>;
	/** What the level in force switches off; takes effect at once. */
	setOverride(off: ReadonlySet<string>): void;
	/** Flags of which the source is not heeded: it may not switch them off, or only repeats what it was told by us. */
	setUnheeded(flags: ReadonlySet<string>): void;
	/** What the source itself says; undefined when it does not know the flag. */
	fromSource(flag: Flag): boolean | undefined;
	/** How the source behind the level override is. */
	source(): FlagSourceState;
	/** Told whenever an override or the source changed. */
	onChange(listener: () => void): () => void;
}

const noSource: FlagSourceState = { state: 'not-configured', at: null };

/** Answers are a set look-up: cheap enough for every request. */
export function createFlags(source: FlagSource | null): Flags {
	let off: ReadonlySet<string> = new Set();
	let unheeded: ReadonlySet<string> = new Set();
	const listeners = new Set<() => void>();
	const tell = () => {
		for (const listener of listeners) listener();
	};
	source?.onChange(tell);
	const given = (flag: Flag) =>
		(unheeded.has(flag) ? undefined : source?.isEnabled(flag)) ?? switchableFlags[flag];
	const isOn = (flag: Flag, override = off) => !override.has(flag) && given(flag);
	return {
		isOn: (flag) => isOn(flag),
		all: (override) =>
			Object.fromEntries(flagNames.map((flag) => [flag, isOn(flag, override)])) as Record<Flag, boolean>,
		setOverride(next) {
			off = new Set(next);
			tell();
		},
		setUnheeded(next) {
			const changed = [...next].some((flag) => !unheeded.has(flag)) || next.size !== unheeded.size;
			if (!changed) return;
			unheeded = new Set(next);
			tell();
		},
		fromSource: (flag) => source?.isEnabled(flag),
		source: () => source?.state() ?? noSource,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		}
	};
}
