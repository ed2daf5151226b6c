import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The cable between a screen and its server: pulled, nothing passes and nobody is told. */
export interface Cable {
	/** The server as the screen sees it. */
	url: string;
	pull(): void;
	plugIn(): void;
	close(): Promise<void>;
}

/** @param target address of the server, http */
export async function openCable(target: string): Promise<Cable> {
	const { port, hostname } = new URL(target);
	const ends = new Set<Socket>();
	let isPulled = false;
	const server = createServer((near) => {
		const far = connect(Number(port), hostname);
		for (const [from, to] of [
			[near, far],
			[far, near]
		] as const) {
			ends.add(from);
			from.pipe(to);
			// A broken end breaks the other; what either thinks of it is of no use here.
			from.on('error', () => to.destroy());
			from.on('close', () => {
				ends.delete(from);
				to.destroy();
			});
			if (isPulled) from.pause();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		pull() {
			isPulled = true;
			for (const end of ends) end.pause();
		},
		plugIn() {
			isPulled = false;
			for (const end of ends) end.resume();
		},
		async close() {
			for (const end of ends) end.destroy();
			await new Promise((resolve) => server.close(resolve));
		}
	};
}
