import { topics, type CounterProperties } from '@marsad/server/contract';
import type { Crowd } from './crowd.ts';
import {
	clockAheadMs,
	faultFromSeconds,
	flapSeconds,
	jumpPeople,
	missedShare,
	resetEverySeconds,
	type FaultKind
} from './sensors-faults.ts';
import type { Link } from './session-link.ts';

interface Passed {
	in: number;
	out: number;
}

interface Options {
	site: string;
	counter: CounterProperties;
	crowd: Crowd;
	boot: string;
	count: () => void;
	fault?: FaultKind | undefined;
}

/** Readings that a link keeps while it is down; beyond that people are in the next reading. */
const backlogMax = 200;

/**
 * A counter at a border. What passed is taken off its running sum into one reading, which is said again, with the
 * same sequence number and time, until it is acknowledged: nobody is lost and nobody counted twice. A silent counter
 * goes on counting; its first reading afterwards brings everybody who passed. `isBurst` says one more at once.
 */
export function crossingSpeaker(options: Options) {
	const { counter, site } = options;
	const topic = topics.reading(site, counter.device);
	const lens = createLens(options);
	/** Readings that are not acknowledged yet, and whether each is under way. */
	const queue: { reading: string; isUnderWay: boolean }[] = [];
	let wasDown = false;

	const sayState = (link: Link, isDown: boolean) => {
		if (isDown === wasDown) return;
		wasDown = isDown;
		void link.say(topics.state(site, counter.device), isDown ? 'offline' : 'online', { retain: true });
	};
	const send = (link: Link, entry: (typeof queue)[number]) => {
		entry.isUnderWay = true;
		if (lens.isDoubled()) void link.say(topic, entry.reading);
		void link.say(topic, entry.reading).then((isTaken) => {
			entry.isUnderWay = false;
			if (!isTaken) return;
			queue.splice(queue.indexOf(entry), 1);
			options.count();
		});
	};
	return {
		speak(link: Link, isSilent: boolean, elapsedSeconds: number, isBurst = false): void {
			const state = linkAt(options.fault, elapsedSeconds);
			if (isSilent || state === 'silent') return;
			sayState(link, state === 'gone' || state === 'down');
			if (state === 'gone') return;
			if (queue.length === 0 || ((isBurst || state === 'down') && queue.length < backlogMax))
				queue.push({ reading: lens.read(elapsedSeconds), isUnderWay: false });
			if (state === 'up')
				for (const entry of queue.filter(({ isUnderWay }) => !isUnderWay)) send(link, entry);
		},
		renew(link: Link): void {
			// A new connection said of every device that it is there.
			const isDown = wasDown;
			wasDown = false;
			sayState(link, isDown);
		}
	};
}

/** What a fault does to the counter's link now. */
function linkAt(fault: FaultKind | undefined, elapsedSeconds: number): 'up' | 'down' | 'silent' | 'gone' {
	const since = elapsedSeconds - faultFromSeconds;
	if (since < 0) return 'up';
	if (fault === 'silent') return 'silent';
	if (fault === 'offline') return 'gone';
	if (fault !== 'flapping') return 'up';
	return since % (flapSeconds.down + flapSeconds.up) < flapSeconds.down ? 'down' : 'up';
}

/** What the counter makes of those who passed: the truth, or what its fault turns it into. */
function createLens({ counter, crowd, boot, fault }: Options) {
	let reported: Passed = { in: 0, out: 0 };
	let seq = 0;
	let last: Passed | null = null;
	let hasJumped = false;
	let resetAt: Passed = { in: 0, out: 0 };
	let resets = 0;

	const seen = (): Passed => {
		const passed = crowd.passed(counter.id);
		return fault === 'drift' ? { ...passed, out: passed.out - Math.floor(passed.out * missedShare) } : passed;
	};
	const lie = (truth: Passed): Passed => {
		if (fault === 'swapped') return { in: truth.out, out: truth.in };
		if (fault === 'stuck') return (last ??= { in: truth.in + 1, out: truth.out });
		if (fault !== 'jump' || hasJumped) return truth;
		hasJumped = true;
		return { ...truth, in: truth.in + jumpPeople };
	};
	const running = (elapsedSeconds: number): Passed => {
		const now = seen();
		const due = Math.floor(elapsedSeconds / resetEverySeconds);
		if (due > resets) {
			resets = due;
			resetAt = now;
		}
		return { in: now.in - resetAt.in, out: now.out - resetAt.out };
	};
	const sinceLast = (elapsedSeconds: number): Passed => {
		const now = seen();
		const truth = { in: now.in - reported.in, out: now.out - reported.out };
		reported = now;
		return elapsedSeconds >= faultFromSeconds ? lie(truth) : truth;
	};
	return {
		isDoubled: () => fault === 'duplicates',
		read(elapsedSeconds: number): string {
			const isAhead = fault === 'clock' && elapsedSeconds >= faultFromSeconds;
			const people = fault === 'reset' ? running(elapsedSeconds) : sinceLast(elapsedSeconds);
			return JSON.stringify({
				ts: Date.now() + (isAhead ? clockAheadMs : 0),
				boot,
				seq: seq++,
				...(counter.channel === undefined ? {} : { channel: counter.channel }),
				...(fault === 'reset' ? { total: true } : {}),
				...people,
				sim: true
			});
		}
	};
}
