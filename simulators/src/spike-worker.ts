import { parentPort, workerData } from 'node:worker_threads';
import { playPart, type PartBeat, type PartEnd, type PartOptions } from './spike-player.ts';

/** What a thread of the generator tells: how far it is, and once what it ends with. */
export type WorkerWord = { kind: 'beat'; beat: PartBeat } | { kind: 'end'; end: PartEnd };

const port = parentPort!;
const stop = new AbortController();
port.once('message', () => stop.abort());
const say = (word: WorkerWord) => port.postMessage(word);

const end = await playPart(workerData as PartOptions, (beat) => say({ kind: 'beat', beat }), stop.signal);
say({ kind: 'end', end });
port.close();
