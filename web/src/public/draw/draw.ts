import type { DrawFacts, DrawProof } from '@marsad/server/contract';
import { createPlaceKeeper } from '../place.ts';
import type { LiveTexts } from './texts.ts';

/** The same file that runs on the command line: one program computes the places, wherever it is started. */
interface Verifier {
	verifyDraw(
		facts: DrawFacts,
		text: string,
		tell: (step: 'root' | 'places', done: number, of: number) => void
	): Promise<{ checks: { name: string; ok: boolean }[]; order: string[] }>;
	checkProof(proof: DrawProof, root: string): Promise<boolean>;
	compareWithHost(
		ask: (path: string) => Promise<unknown>,
		facts: DrawFacts,
		order: string[],
		count: number
	): Promise<boolean>;
}

const verifierUrl = '/verify-draw.mjs';
const sampleSize = 20;
const root = document.querySelector<HTMLElement>('[data-draw]')!;
const texts = JSON.parse(root.dataset.texts!) as LiveTexts;
const part = (name: string) => root.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
const button = (name: string) => root.querySelector<HTMLButtonElement>(`[data-press="${name}"]`)!;
const number = new Intl.NumberFormat(`${texts.locale}-u-nu-latn`);
const moment = new Intl.DateTimeFormat(`${texts.locale}-u-ca-gregory-nu-latn`, {
	...{ year: 'numeric', month: 'long', day: 'numeric' },
	...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' }
});
const fill = (text: string, values: Record<string, string>) =>
	text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');
const load = async (): Promise<Verifier> => import(/* @vite-ignore */ verifierUrl) as Promise<Verifier>;

let facts: DrawFacts | null = null;

async function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
	return fetch(path, { headers, cache: 'no-store', signal: AbortSignal.timeout(60_000) });
}

async function askJson(path: string): Promise<unknown> {
	const response = await ask(path);
	if (!response.ok) throw new Error(String(response.status));
	return response.json();
}

function show(name: string, text: string | null, bad = false): void {
	const element = part(name);
	element.hidden = text === null;
	element.classList.toggle('bad', bad);
	(element.querySelector('p') ?? element).textContent = text ?? '';
}

function showFacts(known: DrawFacts): void {
	const at = (time: number | null) => (time === null ? null : moment.format(time));
	const values: Record<keyof LiveTexts['names'], string | null> = {
		state: texts.states[known.state],
		entries: number.format(known.entries),
		committedAt: at(known.committedAt),
		commitment: known.commitment,
		frozenAt: at(known.frozenAt),
		root: known.root,
		round: known.waitsForRound === null ? null : String(known.waitsForRound),
		randomness: known.randomness?.value ?? null,
		source: known.randomness?.source ?? null,
		secret: known.secret,
		seed: known.seed,
		placedAt: at(known.placedAt)
	};
	const rows = (Object.keys(values) as (keyof typeof values)[]).flatMap((name) => {
		const value = values[name];
		if (value === null) return [];
		const row = document.createElement('div');
		const term = document.createElement('dt');
		const description = document.createElement('dd');
		const isolated = document.createElement('bdi');
		term.textContent = texts.names[name];
		isolated.textContent = value;
		if (/^[0-9a-f]{32,}$/.test(value) || name === 'source') {
			isolated.dir = 'ltr';
			isolated.className = 'long';
		}
		description.append(isolated);
		row.append(term, description);
		return [row];
	});
	part('facts').replaceChildren(...rows);
	part('simulated').hidden = known.randomness?.simulated !== true;
	show('notice', known.stuck ? texts.stuck : null);
	(part('list') as HTMLAnchorElement).href = `/queue/draw/entries?draw=${known.id}`;
	for (const name of ['check', 'mine']) button(name).hidden = false;
}

async function refresh(): Promise<DrawFacts | null> {
	const asked = new URLSearchParams(location.search).get('draw');
	const response = await ask(asked && /^\d+$/.test(asked) ? `/queue/draw?draw=${asked}` : '/queue/draw');
	if (response.status === 204 || response.status === 404) {
		show('notice', texts.none);
		return null;
	}
	if (!response.ok) throw new Error(String(response.status));
	const known = (await response.json()) as DrawFacts;
	showFacts(known);
	return known;
}

function showChecks(checks: { name: string; ok: boolean }[]): void {
	part('checks').replaceChildren(
		...checks.map(({ name, ok }) => {
			const line = document.createElement('li');
			const said = document.createElement('span');
			const verdict = document.createElement('b');
			line.classList.toggle('bad', !ok);
			said.textContent = texts.checks[name as keyof LiveTexts['checks']];
			verdict.textContent = ok ? texts.ok : texts.bad;
			line.append(said, verdict);
			return line;
		})
	);
}

async function check(): Promise<void> {
	facts = await refresh();
	if (!facts) return;
	show('verdict', null);
	showChecks([]);
	if (facts.seed === null) return show('verdict', texts.notYet);
	show('working', texts.working.list);
	const [verifier, list] = await Promise.all([load(), ask(`/queue/draw/entries?draw=${facts.id}`)]);
	const result = await verifier.verifyDraw(facts, await list.text(), (step, done, of) =>
		show('working', fill(texts.working[step], { done: number.format(done), of: number.format(of) }))
	);
	if (facts.state === 'placed') {
		show('working', texts.working.host);
		const same = await verifier.compareWithHost(askJson, facts, result.order, sampleSize);
		result.checks.push({ name: 'host', ok: same });
	}
	show('working', null);
	showChecks(result.checks);
	const good = result.checks.every(({ ok }) => ok);
	const verdict = good ? fill(texts.good, { count: number.format(result.order.length) }) : texts.broken;
	show('verdict', verdict, !good);
	part('said').textContent = verdict;
}

function storageOrNone(): Storage {
	try {
		return localStorage;
	} catch {
		return {} as Storage;
	}
}

/** Who registered with this browser: prepared, by the browser's key, or in a demonstration by its name. */
async function mine(): Promise<void> {
	facts = await refresh();
	if (!facts) return;
	show('entry', null);
	if (facts.root === null) return show('mine', texts.notYet);
	const keeper = createPlaceKeeper(location.search, storageOrNone(), () => '');
	const ready = keeper.loadReady(Date.now());
	const headers: Record<string, string> = {
		...(ready ? { authorization: `Bearer ${ready.token}` } : {}),
		...(keeper.browserKey ? { 'x-browser-key': keeper.browserKey } : {})
	};
	const query = new URLSearchParams({
		draw: String(facts.id),
		...(keeper.user ? { user: keeper.user } : {})
	});
	const response = await ask(`/queue/draw/proof?${query}`, headers);
	if (!response.ok) return show('mine', response.status === 404 ? texts.notIn : texts.away);
	const proof = (await response.json()) as DrawProof;
	const inList = await (await load()).checkProof(proof, facts.root);
	const place = proof.place === null ? null : number.format(proof.place);
	const said = place === null ? texts.listed : fill(texts.place, { place, of: number.format(facts.entries) });
	show('mine', inList ? said : texts.broken, !inList);
	part('said').textContent = part('mine').textContent;
	show('entry', `${texts.entry}: ${proof.entry}`);
}

function press(name: string, work: () => Promise<void>): void {
	const pressed = button(name);
	pressed.addEventListener('click', () => {
		pressed.disabled = true;
		void work()
			.catch(() => {
				show('working', null);
				show('notice', texts.away);
			})
			.finally(() => (pressed.disabled = false));
	});
}

part('command').textContent = fill(part('command').textContent ?? '', { host: location.origin });
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-keep-query]'))
	link.search = location.search;
press('check', check);
press('mine', mine);
void refresh().catch(() => show('notice', texts.away));
