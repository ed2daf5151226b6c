import type { AddressInfo } from 'node:net';

// Started by tests as a process of its own: a real Unleash on a database of its own, on a free port (or the one given).
const [databaseUrl = '', clientToken = '', adminToken = '', port = '0'] = process.argv.slice(2);

// Unleash asks its makers for new versions and tells them how it is used; here it may do neither.
Object.assign(process.env, { CHECK_VERSION: 'false', SEND_TELEMETRY: 'false' });
const { ApiTokenType, IAuthType, create, LogLevel } = await import('unleash-server');

process.stdin.resume().on('end', () => process.exit(0));

const unleash = await create({
	databaseUrl,
	db: { ssl: false },
	logLevel: LogLevel.fatal,
	versionCheck: { enable: false },
	telemetry: false,
	clientFeatureCaching: { enabled: false, maxAge: 1 },
	authentication: {
		type: IAuthType.NONE,
		enableApiToken: true,
		initApiTokens: [
			{
				tokenName: 'client',
				secret: clientToken,
				type: ApiTokenType.BACKEND,
				environment: 'development',
				projects: ['*']
			},
			{ tokenName: 'admin', secret: adminToken, type: ApiTokenType.ADMIN, environment: '*', projects: ['*'] }
		] as never[]
	}
});
const server = unleash.app.listen(Number(port), '127.0.0.1', () => {
	const { port: listening } = server.address() as AddressInfo;
	process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${listening}` })}\n`);
});
