import { version } from '$app/env';
import { settings as look } from '#lib/settings.svelte.ts';
import { createDesk, openMs, type Desk } from './desk.ts';
import { openIdbStore } from './idb-store.ts';
import { newLink } from './link.ts';
import { createServerCalls } from './pull.ts';
import type { KnownTime, Reading } from './scan-clock.ts';
import { knownTime, newState, type ScanDeps, type ScanState } from './scan-state.ts';
import type { Kept, ScanStore } from './scan-store.ts';
import { accept, propose, recall, unpair, type Proposal, type Proposed } from './setting-up.ts';
import { createSync, type Sync } from './sync.ts';
import { createVerifier } from './verify.ts';

/** What stands between this page and the gate; `ready` when nothing does. */
export type Phase = 'starting' | 'other-tab' | 'no-storage' | 'no-crypto' | 'unpaired' | 'ready';

const lockName = 'marsad-scanner';
const tickMs = 250;
/** Below this the browser may run out of room within a shift. */
const roomMin = 20_000_000;

/** The running scanner, for its screens. What it knows is in `view`; everything it does is in `desk`. */
class Scanner {
	phase = $state<Phase>('starting');
	view = $state.raw<ScanState>(newState(newLink(0)));
	time = $state.raw<KnownTime>({ at: Date.now(), trust: 'untrusted' });
	/** The browser promised not to delete what is kept here; null: it was not asked yet. */
	isPersistent = $state<boolean | null>(null);
	isRoomLow = $state(false);
	camera = $state<string | null>(null);
	isSoundOn = $state(true);
	readonly build = version;

	#deps: (ScanDeps & { calls: ReturnType<typeof createServerCalls> }) | null = null;
	#desk: Desk | null = null;
	#sync: Sync | null = null;
	#openSince: { seq: number; at: number } | null = null;

	/** Both clocks of the device now; null before the start. */
	reading(): Reading | null {
		return this.#deps?.reading() ?? null;
	}
	get desk(): Desk {
		return this.#desk!;
	}

	/** Starts once; the one page that holds the lock is the scanner. @returns how to end it */
	start(): () => void {
		let isOver = false;
		let letGo = () => {};
		const held = new Promise<void>((resolve) => (letGo = resolve));
		const run = async () => {
			if (!isOver) await this.#run();
			if (!isOver) await held;
		};
		void (async () => {
			// Without locks there is no crypto either: the page does not come over HTTPS.
			if (!navigator.locks) return void (this.phase = 'no-crypto');
			await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
				if (lock) await run();
				else this.phase = 'other-tab';
			});
			if (!isOver && this.phase === 'other-tab') await navigator.locks.request(lockName, run);
		})();
		return () => {
			isOver = true;
			letGo();
			this.#stop();
		};
	}

	async #run(): Promise<void> {
		this.phase = 'starting';
		const verify = await createVerifier();
		if (!verify) return void (this.phase = 'no-crypto');
		let store: ScanStore;
		try {
			store = await openIdbStore();
			// A private window may open a database and then keep nothing.
			await store.write({});
		} catch {
			return void (this.phase = 'no-storage');
		}
		const boot = crypto.randomUUID();
		const state = newState(newLink(performance.now()));
		this.#deps = {
			...{ state, store, verify, build: version, random: Math.random },
			builtAt: Number(version) || 0,
			reading: () => ({ deviceAt: Date.now(), uptimeMs: performance.now(), boot }),
			changed: () => (this.view = { ...state }),
			calls: createServerCalls(() => look.locale)
		};
		try {
			await recall(this.#deps);
			this.camera = (await store.read('camera'))?.deviceId ?? null;
			this.isSoundOn = (await store.read('sound')) !== 'off';
		} catch {
			return void (this.phase = 'no-storage');
		}
		this.#desk = createDesk(this.#deps);
		this.#sync = createSync(this.#deps);
		this.#deps.changed();
		this.phase = state.pairing ? 'ready' : 'unpaired';
		this.#timer = setInterval(() => this.#tick(), tickMs);
		addEventListener('online', this.#onOnline);
		void this.#askForRoom();
	}

	#timer: ReturnType<typeof setInterval> | undefined;
	#onOnline = () => this.#sync?.cameBack();
	#stop(): void {
		clearInterval(this.#timer);
		removeEventListener('online', this.#onOnline);
		this.#deps?.store.close();
	}

	#tick(): void {
		const deps = this.#deps!;
		const time = knownTime(deps);
		const isNews = Math.floor(time.at / 1_000) !== Math.floor(this.time.at / 1_000);
		if (isNews || time.trust !== this.time.trust) this.time = time;
		const { shown, count } = deps.state;
		const seq = count?.seq ?? (shown?.isOpen ? shown.entry.seq : null);
		const now = performance.now();
		if (seq === null) this.#openSince = null;
		else if (this.#openSince?.seq !== seq) this.#openSince = { seq, at: now };
		else if (now - this.#openSince.at > openMs) void this.desk.close();
		void this.#sync?.turn();
	}

	async #askForRoom(): Promise<void> {
		try {
			this.isPersistent = (await navigator.storage.persisted()) || (await navigator.storage.persist());
			const { quota = 0, usage = 0 } = await navigator.storage.estimate();
			this.isRoomLow = quota > 0 && quota - usage < roomMin;
		} catch {
			this.isPersistent = false;
		}
	}

	propose(text: string): Promise<Proposed> {
		return propose(text, this.#deps!.calls);
	}
	async accept(proposal: Proposal): Promise<void> {
		await accept(proposal, this.#deps!);
		this.phase = 'ready';
		void this.#sync?.now();
	}
	/** @returns false while entries wait */
	async unpair(): Promise<boolean> {
		if (!(await unpair(this.#deps!))) return false;
		location.reload();
		return true;
	}
	/** Whoever asks for it has nothing more to change in what stands open. */
	async syncNow(): Promise<void> {
		await this.desk.close();
		await this.#sync?.now();
	}
	setDirection(direction: 'in' | 'out'): void {
		this.#deps!.state.direction = direction;
		this.#deps!.changed();
	}
	hideAnswer(): void {
		const deps = this.#deps!;
		void this.desk.close();
		deps.state.shown = null;
		deps.changed();
	}
	async keep(values: Partial<Pick<Kept, 'camera' | 'sound'>>): Promise<void> {
		if (values.camera) this.camera = values.camera.deviceId;
		if (values.sound) this.isSoundOn = values.sound === 'on';
		await this.#deps?.store.write(values).catch(() => undefined);
	}
}

export const scanner = new Scanner();
