/*
 * Recomputes a draw of a waiting room from what was published, in a browser and on the command line:
 *
 *   node verify-draw.mjs https://host [--draw NUMBER] [--entry ENTRY] [--lang ar]
 *
 * Nothing but WebCrypto is needed (Node 18 or later). The rules, in full:
 *
 *   commitment  = SHA-256(secret)                      published before anybody could register
 *   list        = one line an entry, "id,party", ascending by id, frozen at the opening
 *   leaf        = SHA-256(0x00 ‖ line)
 *   node        = SHA-256(0x01 ‖ left ‖ right); the last one of an odd row moves up as it is
 *   root        = the top node                         published before the randomness existed
 *   seed        = SHA-256(secret ‖ root ‖ randomness)
 *   places      = entries in ascending order of HMAC-SHA256(key: seed, message: id)
 */

const { subtle } = globalThis.crypto ?? (await import('node:crypto')).webcrypto;
const encoder = new TextEncoder();
/** So many hashes are under way at once; in between the page may breathe. */
const atOnce = 2_000;

export function toHex(bytes) {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function fromHex(text) {
	return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(i * 2, i * 2 + 2), 16));
}

async function sha256(...parts) {
	const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return new Uint8Array(await subtle.digest('SHA-256', bytes));
}

/** `work` for each item, many at once, in order; `tell` hears how many are done. */
async function mapAll(items, work, tell) {
	const results = [];
	for (let from = 0; from < items.length; from += atOnce) {
		results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
		tell?.(results.length);
		if (tell) await new Promise((resolve) => setTimeout(resolve));
	}
	return results;
}

const leafOf = (line) => sha256(Uint8Array.of(0), encoder.encode(line));
const nodeOf = (left, right) => sha256(Uint8Array.of(1), left, right);

/** The root over the lines of a list, hexadecimal. */
export async function rootOf(lines, tell) {
	if (lines.length === 0) return toHex(await sha256());
	let row = await mapAll(lines, leafOf, tell);
	while (row.length > 1) {
		const pairs = [];
		for (let i = 0; i < row.length; i += 2) pairs.push([row[i], row[i + 1]]);
		row = await mapAll(pairs, ([left, right]) => (right ? nodeOf(left, right) : left));
	}
	return toHex(row[0]);
}

/** The entries of a list: `{id, party, line}`. A last line without its end is cut off, and counts as broken. */
export function parseList(text) {
	const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
	const entries = lines.map((line) => {
		const [, id = '', party = ''] = /^([0-9a-f]{24}),(\d{1,2})(?:,.*)?$/.exec(line) ?? [];
		return { id, party: Number(party), line };
	});
	const whole = text === '' || text.endsWith('\n');
	const ordered = entries.every(({ id }, i) => id !== '' && (i === 0 || entries[i - 1].id < id));
	return { entries, ordered: whole && ordered };
}

/** Ids in the order drawn. */
export async function orderOf(seedHex, ids, tell) {
	const hmac = { name: 'HMAC', hash: 'SHA-256' };
	const key = await subtle.importKey('raw', fromHex(seedHex), hmac, false, ['sign']);
	const rank = async (id) => [toHex(new Uint8Array(await subtle.sign('HMAC', key, encoder.encode(id)))), id];
	const ranked = await mapAll(ids, rank, tell);
	ranked.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
	return ranked.map(([, id]) => id);
}

/** Whether a proof leads from its line to the root. */
export async function checkProof(proof, root) {
	let at = await leafOf(proof.line);
	for (const { side, hash } of proof.path) {
		const other = fromHex(hash);
		at = side === 'left' ? await nodeOf(other, at) : await nodeOf(at, other);
	}
	return toHex(at) === root;
}

/**
 * Checks everything that was published of a draw. `facts` is the answer of /queue/draw, `text` that of
 * /queue/draw/entries, `tell` hears `(step, done, of)`.
 * @returns {Promise<{checks: {name: string, ok: boolean}[], order: string[], ok: boolean}>}
 */
export async function verifyDraw(facts, text, tell) {
	const checks = [];
	const check = (name, ok) => checks.push({ name, ok: Boolean(ok) });
	const { entries, ordered } = parseList(text);
	const hear = (step) => tell && ((done) => tell(step, done, entries.length));
	check('drawn', facts.secret && facts.seed && facts.randomness && facts.root);
	check('commitment', facts.secret && toHex(await sha256(fromHex(facts.secret))) === facts.commitment);
	check('count', entries.length === facts.entries);
	check('list', ordered);
	check(
		'root',
		(await rootOf(
			entries.map(({ line }) => line),
			hear('root')
		)) === facts.root
	);
	check(
		'order of events',
		facts.randomness && facts.committedAt <= facts.frozenAt && facts.frozenAt <= facts.randomness.at
	);
	const seed =
		facts.secret && facts.root && facts.randomness
			? toHex(await sha256(fromHex(facts.secret), fromHex(facts.root), fromHex(facts.randomness.value)))
			: '';
	check('seed', seed !== '' && seed === facts.seed);
	const order =
		seed === ''
			? []
			: await orderOf(
					seed,
					entries.map(({ id }) => id),
					hear('places')
				);
	return { checks, order, ok: checks.every(({ ok }) => ok) };
}

/** Asks for proofs of some entries, and compares: in the list, and at the place that was computed here. */
export async function compareWithHost(ask, facts, order, count) {
	const picked = new Set([0, order.length - 1].filter((at) => order[at] !== undefined));
	while (picked.size < Math.min(count, order.length)) picked.add(Math.floor(Math.random() * order.length));
	for (const at of picked) {
		const proof = await ask(`/queue/draw/proof?draw=${facts.id}&entry=${order[at]}`);
		if (proof.place !== at + 1 || !(await checkProof(proof, facts.root))) return false;
	}
	return true;
}

const words = {
	en: {
		drawn: 'The draw has taken place and everything about it is published',
		commitment: 'The secret is the one that was committed to before anybody registered',
		count: 'The list has as many entries as were said',
		list: 'No entry stands in the list twice, and none is broken',
		root: 'The list is the one that was frozen',
		'order of events': 'The outside randomness came after the list was frozen',
		seed: 'The seed is made of secret, list and outside randomness, and of nothing else',
		host: 'The places given out are those computed here',
		entry: (place, of) => `Your place: ${place} of ${of}`,
		missing: 'This entry is not in the list.',
		good: (count) => `All ${count} places recomputed. Everything is as it should be.`,
		bad: 'Something is not as it should be.',
		simulated: 'The randomness was made by the server itself: this is a demonstration, not a real draw.',
		source: (source) => `Randomness: ${source}`,
		away: (host) => `${host} does not answer.`,
		none: 'No draw has been announced yet.',
		refused: (path, status, title) => `${path} (${status}): ${title}`
	},
	ar: {
		drawn: 'أُجريت القرعة ونُشر كل ما يخصها',
		commitment: 'السر هو نفسه الذي التُزم به قبل أن يسجّل أحد',
		count: 'عدد المسجلين في القائمة كما أُعلن',
		list: 'لا يتكرر أحد في القائمة ولا سطر معطوب فيها',
		root: 'القائمة هي نفسها التي أُقفلت',
		'order of events': 'جاءت القيمة العشوائية الخارجية بعد إقفال القائمة',
		seed: 'البذرة من السر والقائمة والقيمة الخارجية وحدها',
		host: 'الأدوار المعطاة هي المحسوبة هنا',
		entry: (place, of) => `دورك: ${place} من ${of}`,
		missing: 'هذا المسجل ليس في القائمة.',
		good: (count) => `أُعيد حساب ${count} دور كلها. كل شيء سليم.`,
		bad: 'هناك ما ليس سليماً.',
		simulated: 'القيمة العشوائية من صنع الخادم نفسه: هذا عرض تجريبي وليس قرعة حقيقية.',
		source: (source) => `القيمة العشوائية: ${source}`,
		away: (host) => `لا إجابة من ${host}.`,
		none: 'لم يُعلن عن أي قرعة بعد.',
		refused: (path, status, title) => `${path} (${status}): ${title}`
	}
};

/** What the host says of a refusal, in one sentence where it has one. */
async function titleOf(response) {
	const text = await response.text();
	try {
		return JSON.parse(text).title ?? '';
	} catch {
		return text.slice(0, 200);
	}
}

/** The command line. Ends with 0 when everything is as it should be, 1 when it is not, 2 when it cannot be known. */
export async function run(args, write) {
	const option = (name) => {
		const at = args.indexOf(`--${name}`);
		return at < 0 ? undefined : args[at + 1];
	};
	const arabic = option('lang') === 'ar';
	const said = words[arabic ? 'ar' : 'en'];
	const host = args.find((arg) => /^https?:\/\//.test(arg))?.replace(/\/+$/, '');
	if (!host) {
		write('node verify-draw.mjs https://host [--draw NUMBER] [--entry ENTRY] [--lang ar]');
		return 2;
	}
	const ask = async (path) => {
		const response = await fetch(host + path, { headers: { 'accept-language': arabic ? 'ar' : 'en' } }).catch(
			() => {
				throw new Error(said.away(host));
			}
		);
		if (!response.ok) throw new Error(said.refused(path, response.status, await titleOf(response)));
		if (response.status === 204) throw new Error(said.none);
		return /json/.test(response.headers.get('content-type') ?? '') ? response.json() : response.text();
	};
	try {
		const id = option('draw');
		const facts = await ask(id === undefined ? '/queue/draw' : `/queue/draw?draw=${encodeURIComponent(id)}`);
		const { checks, order } = await verifyDraw(facts, await ask(`/queue/draw/entries?draw=${facts.id}`));
		const asHere = facts.state === 'placed' && (await compareWithHost(ask, facts, order, 20));
		if (facts.state === 'placed') checks.push({ name: 'host', ok: asHere });
		for (const { name, ok } of checks) write(`${ok ? 'OK ' : 'BAD'}  ${said[name]}`);
		if (facts.randomness) write(said.source(facts.randomness.source));
		if (facts.randomness?.simulated) write(said.simulated);
		const entry = option('entry');
		if (entry !== undefined) {
			const place = order.indexOf(entry) + 1;
			write(place > 0 ? said.entry(place, order.length) : said.missing);
		}
		const good = checks.every(({ ok }) => ok);
		write(good ? said.good(order.length) : said.bad);
		return good ? 0 : 1;
	} catch (error) {
		write(error instanceof Error ? error.message : String(error));
		return 2;
	}
}

const { process } = globalThis;
/** The last part of a path or address, as it is written on disk. */
const nameOf = (path) => decodeURIComponent(path.split(/[\\/]/).at(-1) ?? '');
// A program under whatever name it was saved; a page imports it.
if (process?.argv?.[1] !== undefined && nameOf(encodeURI(process.argv[1])) === nameOf(import.meta.url)) {
	process.exitCode = await run(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
}
