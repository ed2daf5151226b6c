import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The one file that knows the metrics library. Names are `marsad_…` with the unit last. */
export interface Metrics {
	counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Counter<L>;
	gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
	histogram<L extends string = never>(
		name: string,
		help: string,
		buckets: number[],
		labels?: readonly L[]
	): Histogram<L>;
	/** Prometheus text. */
	text(): Promise<string>;
	/** 99th percentile of the event-loop delay since the last call, milliseconds. */
	eventLoopP99Ms(): number;
	stop(): void;
}

/** A registry of its own for each application, so that tests can build several in one process. */
export function createMetrics({ processFigures = false }: { processFigures?: boolean } = {}): Metrics {
	const registry = new Registry();
	if (processFigures) collectDefaultMetrics({ register: registry });
	const loop = monitorEventLoopDelay({ resolution: 20 });
	loop.enable();
	return {
		counter: (name, help, labels = []) =>
			new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
		gauge: (name, help, labels = []) =>
			new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
		histogram: (name, help, buckets, labels = []) =>
			new Histogram({ name, help, buckets, labelNames: [...labels], registers: [registry] }),
		text: () => registry.metrics(),
		eventLoopP99Ms() {
			const value = loop.percentile(99) / 1e6;
			loop.reset();
			return value;
		},
		stop() {
			loop.disable();
			registry.clear();
		}
	};
}
