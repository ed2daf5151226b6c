/**
 * After a button acted while it was still held: what the finger does when it goes, a click on whatever lies under it by
 * then or a key's repeats, is nobody's wish and reaches nothing. The next press of a finger or key counts again.
 */
export function swallowRelease(target: Window = window): void {
	const over = new AbortController();
	const { signal } = over;
	const end = () => over.abort();
	const swallow = (event: Event) => {
		event.preventDefault();
		event.stopPropagation();
	};
	const early = { capture: true, signal };
	target.addEventListener('click', swallow, early);
	target.addEventListener('pointerdown', end, early);
	target.addEventListener('pointerup', () => setTimeout(end, clickMsMax), early);
	target.addEventListener('keydown', (event) => (event.repeat ? swallow(event) : end()), early);
	target.addEventListener(
		'keyup',
		(event) => {
			swallow(event);
			end();
		},
		early
	);
}

/** A touch screen gives the click of a finger that went so much later. */
const clickMsMax = 600;
