import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Structured log on standard output. Headers and bodies that could carry secrets are never logged at all. */
export function createLog(level: string): Log {
	return pino({
		level,
		base: null,
		timestamp: pino.stdTimeFunctions.isoTime,
		redact: {
			paths: [
				'password',
				'token',
				'secret',
				'*.password',
				'*.token',
				'*.secret',
				'*.authorization',
				'*.cookie'
			],
			censor: '[kept out of the log]'
		}
	});
}
