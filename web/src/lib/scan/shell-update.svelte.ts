/** A newer build waits so long after the last scan before it takes over by itself. */
const calmMs = 120_000;
/** A page that is open for days looks for a newer build so often. */
const checkEveryMs = 1_800_000;

/** Keeps the page on the device, and tells when a newer build of it lies ready. */
class ShellUpdate {
	/** The whole page is kept: it starts without a network. Null: not known yet. */
	isKept = $state<boolean | null>(null);
	isWaiting = $state(false);
	#registration: ServiceWorkerRegistration | null = null;

	/** @returns how to end it */
	start(): () => void {
		const { serviceWorker } = navigator;
		if (!serviceWorker) {
			this.isKept = false;
			return () => undefined;
		}
		const hadController = serviceWorker.controller !== null;
		let isFirst = !hadController;
		const onChange = () => {
			this.isKept = true;
			// The first worker only begins to look after this page; a later one is another build.
			if (!isFirst) location.reload();
			isFirst = false;
		};
		serviceWorker.addEventListener('controllerchange', onChange);
		this.isKept = hadController ? true : null;
		void (async () => {
			try {
				const options = { scope: '/scan', updateViaCache: 'none' } as const;
				const registration = await serviceWorker.register('/scan-worker.js', options);
				this.#registration = registration;
				this.#look();
				registration.addEventListener('updatefound', () => {
					const next = registration.installing;
					next?.addEventListener('statechange', () => {
						if (next.state === 'redundant' && !registration.active) this.isKept = false;
						this.#look();
					});
				});
			} catch {
				if (!hadController) this.isKept = false;
			}
		})();
		const timer = setInterval(() => void this.check(), checkEveryMs);
		return () => {
			clearInterval(timer);
			serviceWorker.removeEventListener('controllerchange', onChange);
		};
	}

	#look(): void {
		const { active, waiting } = this.#registration ?? {};
		if (active) this.isKept = true;
		this.isWaiting = waiting != null && active != null;
	}

	/** Asks whether there is a newer build. */
	async check(): Promise<void> {
		await this.#registration?.update().catch(() => undefined);
		this.#look();
	}

	/** The newer build takes over, and the page starts again: only while nobody is being scanned. */
	takeOver(): void {
		this.#registration?.waiting?.postMessage('take-over');
	}

	/** The same by itself, when the gate has been calm for long. */
	takeOverWhenCalm(calmForMs: number): void {
		if (this.isWaiting && calmForMs > calmMs) this.takeOver();
	}
}

export const shellUpdate = new ShellUpdate();
