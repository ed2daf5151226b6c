import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { limits } from '../../limits.ts';
import { attributePattern } from '../../../contract/index.ts';
import { EligibilityLimitedError, type EligibilityCheck } from './eligibility.ts';

const Attribute = Type.Optional(Type.Union([Type.String({ pattern: attributePattern }), Type.Null()]));
const Answer = Compile(
	Type.Object({
		eligible: Type.Boolean(),
		reason: Type.Optional(Type.String({ maxLength: 400 })),
		country: Attribute,
		provider: Attribute,
		category: Attribute
	})
);

/** How long a service that names no time is left alone. */
const restMsDefault = 1_000;

/**
 * The eligibility service named by the environment: POST `{holder}`, answer `{eligible, reason?, country?, provider?,
 * category?}`. 429, and 503 with `Retry-After`, mean that it is limited; anything else counts as a failure of the
 * service, never as a yes.
 */
export function createHttpEligibility(url: string, now: () => number): EligibilityCheck {
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
			const retryAfterMs = readRetryAfterMs(response.headers.get('retry-after'), now());
			if (response.status === 429 || (response.status === 503 && retryAfterMs !== null)) {
				throw new EligibilityLimitedError(retryAfterMs ?? restMsDefault);
			}
			throw new Error(`the eligibility service answered ${response.status}`);
		}
		const body: unknown = JSON.parse(await readBounded(response));
		if (!Answer.Check(body)) throw new Error('the eligibility service gave no answer that can be read');
		const { eligible, reason, country = null, provider = null, category = null } = body;
		return {
			eligible,
			...(reason === undefined ? {} : { reason }),
			attributes: { country, provider, category }
		};
	};
}

/** `Retry-After` in either of its forms (RFC 9110, 10.2.3) as milliseconds from now; null when it says nothing. */
export function readRetryAfterMs(value: string | null, now: number): number | null {
	if (value === null) return null;
	if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000;
	const at = Date.parse(value);
	return Number.isNaN(at) ? null : Math.max(0, at - now);
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
