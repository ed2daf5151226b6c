/** An answer as the page's logic sees it; status 0 is no answer at all. */
export interface Answer {
	status: number;
	body: unknown;
	/** Milliseconds the server asked to wait; null when it did not. */
	retryAfterMs: number | null;
}

const timeoutMs = 12_000;

/** One call to the server of this page; it never throws and never hangs. */
export async function call(
	path: string,
	query: Readonly<Record<string, string>>,
	body?: object,
	headers: Readonly<Record<string, string>> = {}
): Promise<Answer> {
	const search = new URLSearchParams(query).toString();
	try {
		const response = await fetch(search ? `${path}?${search}` : path, {
			method: body ? 'POST' : 'GET',
			headers: {
				accept: 'application/json',
				...(body ? { 'content-type': 'application/json' } : {}),
				...headers
			},
			signal: AbortSignal.timeout(timeoutMs),
			redirect: 'error',
			...(body ? { body: JSON.stringify(body) } : {})
		});
		const seconds = Number(response.headers.get('retry-after') ?? NaN);
		return {
			status: response.status,
			body: await response.json().catch(() => null),
			retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null
		};
	} catch {
		return { status: 0, body: null, retryAfterMs: null };
	}
}
