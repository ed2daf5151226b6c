import { pino } from 'pino';
import { startEmbeddedPostgres } from './postgres.ts';

// Started by postgres.test.ts as a process of its own, which owns a PostgreSQL until it is stopped or killed.
const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) });
process.stdout.write(`${JSON.stringify({ url: server.url, pid: server.pid() })}\n`);
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
setInterval(() => undefined, 60_000);
