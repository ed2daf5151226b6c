// Drawn at build time, one page a language; the script of the page is its own and small, not SvelteKit's client.
export const prerender = true;
export const csr = false;
export const trailingSlash = 'always';
