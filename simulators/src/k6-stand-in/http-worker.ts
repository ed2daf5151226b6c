import { workerData, type MessagePort } from 'node:worker_threads';

const { port, signal } = workerData as { port: MessagePort; signal: Int32Array };

interface Asked {
	method: string;
	url: string;
	body: string | null;
	headers: Record<string, string>;
}

port.on('message', (asked: Asked) => {
	void ask(asked).then((answer) => {
		port.postMessage(answer);
		Atomics.store(signal, 0, 1);
		Atomics.notify(signal, 0);
	});
});

/** As in k6, a call that does not get through has the status 0. */
async function ask({ method, url, body, headers }: Asked) {
	try {
		const response = await fetch(url, { method, headers, body, redirect: 'manual' });
		const named = [...response.headers].map(([name, value]) => [goName(name), value]);
		return {
			status: response.status,
			body: await response.text(),
			headers: Object.fromEntries(named) as Record<string, string>
		};
	} catch {
		return { status: 0, body: '', headers: {} };
	}
}

function goName(name: string): string {
	return name.replace(/(^|-)([a-z])/g, (_match, dash: string, letter: string) => dash + letter.toUpperCase());
}
