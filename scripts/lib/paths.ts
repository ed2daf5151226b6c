import { resolve } from 'node:path';

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, '../..');

/** Preloaded into children so that they stop when their parent is gone. */
export const stopWithParent = new URL('./stop-with-parent.js', import.meta.url).href;
