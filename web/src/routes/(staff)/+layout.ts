// A console behind a sign-in gains nothing from server rendering: its screens are drawn in the browser.
export const ssr = false;
export const prerender = false;
