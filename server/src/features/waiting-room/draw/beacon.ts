import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { limits } from '../../../limits.ts';

/** What a public beacon said in one of its rounds. */
export interface BeaconRound {
	round: number;
	/** Hexadecimal. */
	value: string;
	/** Where anybody finds it again. */
	source: string;
}

/** A named public source of randomness that nobody can know before its time. */
export interface Beacon {
	/** The newest round. @throws when it cannot be reached or read */
	latest(): Promise<BeaconRound>;
	/** One round by its number; null while it has not come. @throws likewise */
	at(round: number): Promise<BeaconRound | null>;
}

const Answer = Compile(
	Type.Object({
		round: Type.Integer({ minimum: 0 }),
		randomness: Type.String({ pattern: '^([0-9a-fA-F]{2}){16,64}$' })
	})
);

/**
 * A beacon that answers as drand does, `{round, randomness}`. Where the address ends in `latest`, one round is asked for by
 * its number in that place; elsewhere the newest one must be the one that is wanted.
 */
export function createBeacon(url: string, timeoutMs: number = limits.draw.beaconTimeoutMs): Beacon {
	const addressOf = (round: number) => (/\/latest$/.test(url) ? url.replace(/latest$/, String(round)) : null);
	const ask = async (address: string): Promise<BeaconRound | null> => {
		const response = await fetch(address, {
			headers: { accept: 'application/json' },
			redirect: 'error',
			signal: AbortSignal.timeout(timeoutMs)
		});
		if (!response.ok) {
			await response.body?.cancel();
			// Rounds to come are not there yet; beacons say so in different ways.
			if ([404, 425].includes(response.status) && address !== url) return null;
			throw new Error(`the beacon answered ${response.status}`);
		}
		const body: unknown = JSON.parse(await readBounded(response));
		if (!Answer.Check(body)) throw new Error('the beacon gave no answer that can be read');
		const source = addressOf(body.round) ?? url;
		return { round: body.round, value: body.randomness.toLowerCase(), source };
	};
	return {
		async latest() {
			return (await ask(url))!;
		},
		async at(round) {
			const answer = await ask(addressOf(round) ?? url);
			if (!answer || answer.round < round) return null;
			if (answer.round > round) throw new Error(`the beacon is past round ${round} and cannot name it`);
			return answer;
		}
	};
}

async function readBounded(response: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const chunk of response.body ?? []) {
		text += decoder.decode(chunk, { stream: true });
		if (text.length > limits.draw.beaconAnswerBytesMax) throw new Error('the answer is too long');
	}
	return text + decoder.decode();
}
