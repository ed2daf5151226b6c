/** The server's time, second by second. A hidden tab does not tick. */
class ServerClock {
	/** Server time of this second, epoch ms. */
	now = $state(Date.now());
	offsetMs = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;

	start(): () => void {
		const tick = () => {
			this.now = Date.now() + this.offsetMs;
			this.#timer = setTimeout(tick, 1_000 - (this.now % 1_000) + 5);
		};
		const onVisibility = () => {
			clearTimeout(this.#timer);
			if (!document.hidden) tick();
		};
		document.addEventListener('visibilitychange', onVisibility);
		onVisibility();
		return () => {
			clearTimeout(this.#timer);
			document.removeEventListener('visibilitychange', onVisibility);
		};
	}
}

export const clock = new ServerClock();
