import type { Asker } from './calls-booking.ts';

const timeoutMs = 5_000;

/**
 * Prints the permit as the server lays it out for paper, with entrances and night, from a frame that nobody sees.
 * @throws where that page cannot be had now
 */
export async function printPaper({ user, headers }: Asker, language: string): Promise<void> {
	const search = new URLSearchParams({ ...user, lang: language });
	const response = await fetch(`/permits/mine/print?${search}`, {
		headers,
		signal: AbortSignal.timeout(timeoutMs)
	});
	if (!response.ok) throw new Error(String(response.status));
	const frame = document.createElement('iframe');
	frame.className = 'paper';
	frame.srcdoc = await response.text();
	frame.onload = () => frame.contentWindow!.print();
	document.querySelector('.paper')?.remove();
	document.body.append(frame);
}
