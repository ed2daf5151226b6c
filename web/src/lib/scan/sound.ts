import type { EntryVerdict } from '@marsad/server/contract';

/** Three short sounds that differ in number, height and length, all between 500 and 3,000 Hz. [Hz, from, to] in seconds. */
const earcons: Record<EntryVerdict, readonly (readonly [number, number, number])[]> = {
	green: [[1_800, 0, 0.12]],
	amber: [
		[1_200, 0, 0.1],
		[1_200, 0.16, 0.26]
	],
	red: [
		[620, 0, 0.22],
		[520, 0.26, 0.62]
	]
};
/** Felt in the hand, ms on and off; as different as the sounds. */
const pulses: Record<EntryVerdict, number[]> = { green: [60], amber: [80, 80, 80], red: [350, 120, 350] };

let context: AudioContext | null = null;

/** Browsers give sound only after a touch: called from one. */
export async function allowSound(): Promise<void> {
	try {
		context ??= new AudioContext();
		await context.resume();
	} catch {
		context = null;
	}
}

/** Whether a sound would be heard, as far as the browser says. */
export const hasSound = () => context?.state === 'running';

/** Tells the answer to ear and hand. */
export function tell(verdict: EntryVerdict, isSoundOn: boolean): void {
	navigator.vibrate?.(pulses[verdict]);
	if (!isSoundOn || !context || context.state !== 'running') return;
	const now = context.currentTime;
	for (const [hertz, from, to] of earcons[verdict]) {
		const tone = context.createOscillator();
		const volume = context.createGain();
		tone.type = 'square';
		tone.frequency.value = hertz;
		volume.gain.setValueAtTime(0.0001, now + from);
		volume.gain.exponentialRampToValueAtTime(0.25, now + from + 0.01);
		volume.gain.exponentialRampToValueAtTime(0.0001, now + to);
		tone.connect(volume).connect(context.destination);
		tone.start(now + from);
		tone.stop(now + to + 0.02);
	}
}
