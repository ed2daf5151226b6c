// A page of its own, without the console: the worker keeps it on the device, so that it starts without a network.
export const ssr = false;
export const prerender = true;
