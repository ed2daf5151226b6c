import { earconOf, earcons, type DueSound, type Earcon } from './sounds.ts';

const heardKey = 'alarm-sound-heard';
const testedKey = 'alarm-sound-tested';
const offKey = 'alarm-sound-off';

function read(store: Storage | undefined, key: string): string | null {
	try {
		return store?.getItem(key) ?? null;
	} catch {
		return null;
	}
}
function write(store: Storage | undefined, key: string, value: string): void {
	try {
		store?.setItem(key, value);
	} catch {
		// A browser that stores nothing forgets at the next reload only.
	}
}

/** What is known of this screen's voice. `blocked`: the browser has not let it sound, or nobody has tried. */
export type VoiceState = 'blocked' | 'on' | 'off';

/** Plays the three earcons. A browser sounds only after somebody pressed something: until then it says so. */
class Player {
	#isRunning = $state(false);
	#isTested = $state(read(globalThis.sessionStorage, testedKey) !== null);
	#isOff = $state(read(globalThis.localStorage, offKey) === 'yes');
	/** What was heard last, for the line that is tied to it. */
	last = $state.raw<{ sound: DueSound; at: number } | null>(null);
	#audio: AudioContext | null = null;

	readonly voice: VoiceState = $derived(
		this.#isOff ? 'off' : this.#isTested && this.#isRunning ? 'on' : 'blocked'
	);

	/** Number of the last sound heard in this browser; null when none was. Tabs of one browser share it. */
	get heard(): number | null {
		const text = read(globalThis.localStorage, heardKey);
		return text === null || !/^\d+$/.test(text) ? null : Number(text);
	}
	set heard(seq: number) {
		write(globalThis.localStorage, heardKey, String(seq));
	}

	#open(): AudioContext | null {
		if (this.#audio || typeof AudioContext === 'undefined') return this.#audio;
		const audio = new AudioContext();
		audio.addEventListener('statechange', () => (this.#isRunning = audio.state === 'running'));
		this.#isRunning = audio.state === 'running';
		this.#audio = audio;
		return audio;
	}

	/** Wakes the voice after a press anywhere, if it was tested in this tab before. */
	wake(): void {
		if (this.#isTested && !this.#isRunning) void this.#open()?.resume();
	}

	/** A person tries the sound: from then on this tab is known to be heard. */
	async test(): Promise<void> {
		const audio = this.#open();
		if (!audio) return;
		await audio.resume();
		this.#isRunning = audio.state === 'running';
		if (!this.#isRunning) return;
		this.#isTested = true;
		this.#isOff = false;
		write(globalThis.sessionStorage, testedKey, 'yes');
		write(globalThis.localStorage, offKey, 'no');
		this.#sound('warning');
	}

	/** Silence on this screen; no alarm is acknowledged by it. */
	silence(): void {
		this.#isOff = true;
		write(globalThis.localStorage, offKey, 'yes');
	}

	/** Plays what is due; while the voice is blocked or off its line is shown all the same. */
	play(sound: DueSound, at: number): void {
		this.last = { sound, at };
		const earcon = earconOf(sound.priority);
		if (earcon && this.voice === 'on') this.#sound(earcon);
	}

	#sound(earcon: Earcon): void {
		const audio = this.#audio;
		if (!audio) return;
		for (const tone of earcons[earcon]) {
			const source = audio.createOscillator();
			const volume = audio.createGain();
			const start = audio.currentTime + 0.02 + tone.start;
			source.type = 'triangle';
			source.frequency.value = tone.hertz;
			// Soft edges: a tone that starts at once clicks.
			volume.gain.setValueAtTime(0, start);
			volume.gain.linearRampToValueAtTime(0.25, start + 0.012);
			volume.gain.setValueAtTime(0.25, start + tone.seconds - 0.03);
			volume.gain.linearRampToValueAtTime(0, start + tone.seconds);
			source.connect(volume).connect(audio.destination);
			source.start(start);
			source.stop(start + tone.seconds + 0.01);
		}
	}
}

export const player = new Player();
