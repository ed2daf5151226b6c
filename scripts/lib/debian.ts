import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Installs what tests need and npm does not carry. Only as root on a Debian-like system; elsewhere the environment
 * names it.
 * @returns the packages that could not be installed
 */
export function installPackages(packages: readonly string[], say: (line: string) => void): string[] {
	if (packages.length === 0) return [];
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return [...packages];
	say(`installing Debian packages: ${packages.join(', ')}`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const apt = (...args: string[]): boolean =>
		spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 })
			.status === 0;
	const install = (name: string): boolean => apt('install', '-y', '--no-install-recommends', name);
	// The machine's package lists may be old or empty: they are fetched only when a package is not found.
	const missing = packages.filter((name) => !install(name));
	if (missing.length === 0) return [];
	apt('update');
	return missing.filter((name) => !install(name));
}
