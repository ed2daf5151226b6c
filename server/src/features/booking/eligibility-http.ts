import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { limits } from '../../limits.ts';
import type { EligibilityCheck } from './eligibility.ts';

const Answer = Compile(
	Type.Object({ eligible: Type.Boolean(), reason: Type.Optional(Type.String({ maxLength: 400 })) })
);

/**
 * The eligibility service named by the environment: POST `{holder}`, answer `{eligible, reason?}`. Anything else
 * counts as a failure of the service, never as a yes.
 */
export function createHttpEligibility(url: string): EligibilityCheck {
	return async (holder, signal) => {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', accept: 'application/json' },
			body: JSON.stringify({ holder }),
			redirect: 'error',
			signal
		});
		if (!response.ok) {
			await response.body?.cancel();
			throw new Error(`the eligibility service answered ${response.status}`);
		}
		const body: unknown = JSON.parse(await readBounded(response));
		if (!Answer.Check(body)) throw new Error('the eligibility service gave no answer that can be read');
		return body;
	};
}

async function readBounded(response: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const chunk of response.body ?? []) {
		text += decoder.decode(chunk, { stream: true });
		if (text.length > limits.booking.eligibilityAnswerBytesMax) throw new Error('the answer is too long');
	}
	return text + decoder.decode();
}
