import { pollAfterMs } from '@marsad/server/contract';
document.title = String(pollAfterMs(4, Math.random));
