import { flagNames, switchableFlags, type Flag } from '../../../contract/index.ts';

/** Where flags come from when no level switches them off: Unleash, or nothing. */
export interface FlagSource {
	/** Undefined when the source does not know the flag. */
	isEnabled(flag: Flag): boolean | undefined;
}

/** The one flag port: level override first, then the source (Unleash), then the written default. */
export interface Flags {
	isOn(flag: Flag): boolean;
	all(): Record<Flag, boolean>;
	/** What the level in force switches off; takes effect at once. */
	setOverride(off: ReadonlySet<string>): void;
	/** Told whenever an override changed. */
	onChange(listener: () => void): () => void;
}

/** Answers are a set look-up: cheap enough for every request. */
export function createFlags(source: FlagSource | null): Flags {
	let off: ReadonlySet<string> = new Set();
	const listeners = new Set<() => void>();
	const isOn = (flag: Flag) => !off.has(flag) && (source?.isEnabled(flag) ?? switchableFlags[flag]);
	return {
		isOn,
		all: () => Object.fromEntries(flagNames.map((flag) => [flag, isOn(flag)])) as Record<Flag, boolean>,
		setOverride(next) {
			off = new Set(next);
			for (const listener of listeners) listener();
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		}
	};
}
