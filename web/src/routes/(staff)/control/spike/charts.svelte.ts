import { LinkedCharts } from '#lib/charts/linked.svelte.ts';

/** All charts of the spike screen are looked at together. */
export const charts = new LinkedCharts();
