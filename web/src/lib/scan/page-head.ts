/** What the scanner's page says before any script runs: that it can be installed, and its colour. */
const head = [
	'<link rel="manifest" href="/scan.webmanifest" />',
	'<link rel="apple-touch-icon" href="/scan-icon-192.png" />',
	'<meta name="theme-color" content="#000000" />',
	'<meta name="mobile-web-app-capable" content="yes" />',
	'<meta name="apple-mobile-web-app-capable" content="yes" />',
	'<title>الماسح · Scanner</title>'
].join('\n\t\t');

/** Turns the shared shell into the scanner's page: as wide as the glass, also under a notch. */
export function asScanPage(html: string): string {
	return html
		.replace('width=device-width, initial-scale=1', 'width=device-width, initial-scale=1, viewport-fit=cover')
		.replace('</head>', `\t${head}\n\t</head>`);
}
