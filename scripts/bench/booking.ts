import { join } from 'node:path';
import type { Benchmark } from '../lib/benchmark.ts';
import { startGenerator } from '../lib/bench/generate.ts';
import { createLaboratoryTables, openLaboratoryBooking } from '../lib/bench/laboratory.ts';
import { openProductBooking, planSlots } from '../lib/bench/product-booking.ts';
import { head, perSecond, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand, type Stand } from '../lib/bench/stand.ts';

const connections = 10;
const checkMs = 20;
const slots = 50;
const goals = { service: 15, http: 5 };
const baselineScript = join(import.meta.dirname, '../lib/bench/baseline-server.ts');

type Sizes = { seconds: number; people: number };
type Rate = { count: number; ms: number };

/** Committed bookings a second, both sides in one run on one PostgreSQL with fsync on. */
export const benchmark: Benchmark = {
	measures: 'committed bookings/s against one transaction per booking; goal ≥ 15 ×, over HTTP ≥ 5 ×',
	async run(args) {
		const sizes: Sizes = readOptions(args, { seconds: 10, people: 2_000 });
		head(
			'booking',
			`${sizes.people} people at once, ${slots} slots, ${connections} connections, ${checkMs} ms check, fsync on`
		);
		const machine = watchMachine();
		const stand = await openStand();
		try {
			await planSlots(stand.databaseUrl, slots, 5_000);
			await createLaboratoryTables(stand.databaseUrl, slots, 5_000);
			const service = await atTheService(stand, sizes);
			const http = await overHttp(stand, sizes);
			for (const [title, { ours, baseline }, goal] of [
				['booking, service boundary', service, goals.service],
				['booking, over HTTP', http, goals.http]
			] as const) {
				const ratio = ours.count / ours.ms / (baseline.count / baseline.ms);
				say(
					`  ${title}: ${perSecond(ours.count, ours.ms)}; baseline ${perSecond(baseline.count, baseline.ms)}`
				);
				verdict(title, times2(ratio), `≥ ${goal} ×`, ratio >= goal);
			}
			say(machine.line());
		} finally {
			await stand.close();
		}
	}
};

/** People who book one after the other, as many at once as there are; a refusal for now is tried again. */
async function bookFor(
	{ seconds, people }: Sizes,
	name: string,
	book: (person: string, slot: number) => Promise<boolean>
): Promise<Rate> {
	let count = 0;
	let next = 0;
	const startedAt = performance.now();
	const endsAt = startedAt + seconds * 1_000;
	const worker = async () => {
		while (performance.now() < endsAt) {
			const number = next++;
			if (await book(`${name}-${number}`, 1 + (number % slots))) count += 1;
		}
	};
	await Promise.all(Array.from({ length: people }, worker));
	return { count, ms: performance.now() - startedAt };
}

async function atTheService({ databaseUrl }: Stand, sizes: Sizes): Promise<{ ours: Rate; baseline: Rate }> {
	const usual = openLaboratoryBooking(databaseUrl, connections, checkMs);
	const baseline = await bookFor(sizes, 'usual', usual.book);
	const counted = await usual.count();
	await usual.close();
	if (counted !== baseline.count)
		throw new Error(`the baseline said ${baseline.count} bookings and stored ${counted}`);
	const product = await openProductBooking(databaseUrl, connections, checkMs);
	// The first hundred milliseconds open connections and compile: they are nobody's rate.
	await bookFor({ ...sizes, seconds: Math.min(1, sizes.seconds / 4) }, 'warm', product.book);
	const before = await product.count();
	const ours = await bookFor(sizes, 'product', product.book);
	const after = await product.count();
	await product.close();
	if (after.faults > before.faults) say(`  ${after.faults - before.faults} attempts failed`);
	if (after.booked - before.booked !== ours.count || !after.isTrue)
		throw new Error(`${ours.count} bookings were answered, ${after.booked - before.booked} are stored`);
	return { ours, baseline };
}

/** The same through HTTP, the people in another process; a fixed number of bookings a side. */
async function overHttp(stand: Stand, sizes: Sizes): Promise<{ ours: Rate; baseline: Rate }> {
	const generator = startGenerator();
	try {
		const server = await stand.startServer({ LAB: '1', LAB_CHECK_MS: String(checkMs) });
		const room = [stand.databaseUrl, connections, checkMs, 250].map(String);
		const usual = await stand.startScript(baselineScript, ['laboratory', ...room]);
		const bodies = (name: string, count: number) =>
			Array.from({ length: count }, (_, n) =>
				JSON.stringify({ user: `${name}-${n}`, slot: 1 + (n % slots) })
			);
		const ask = async (url: string, name: string, count: number): Promise<Rate> => {
			const job = { kind: 'answers', method: 'POST', paths: ['/book'], from: 0 } as const;
			const open = Math.min(sizes.people, 1_000);
			const result = await generator.run({
				...job,
				url,
				bodies: bodies(name, count),
				count,
				connections: open
			});
			const others = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '503');
			if (others.length > 0) throw new Error(`${name} was answered ${JSON.stringify(result.statuses)}`);
			return { count: result.statuses['200'] ?? 0, ms: result.ms };
		};
		await ask(server.url, 'http-warm', sizes.people);
		const ours = await ask(server.url, 'http-product', Math.round(sizes.seconds * 3_000));
		const baseline = await ask(usual.url, 'http-usual', Math.round(sizes.seconds * 400));
		await server.stop();
		await usual.stop();
		return { ours, baseline };
	} finally {
		await generator.stop();
	}
}
