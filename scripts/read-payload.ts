import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Value } from 'typebox/value';
import { adapterNames, PreviewRequest } from '../server/contract/index.ts';
import { claimsOf, previewPayload } from '../server/src/features/sensors/index.ts';
import { createSite } from '../server/src/features/site/index.ts';

/** `npm run read-payload -- ADAPTER FILE`: how a counter's message would be read. Nothing is sent or stored. */

const usage = `npm run read-payload -- ADAPTER [options] FILE
  ADAPTER              ${adapterNames.join(', ')}
  FILE                 the message; - reads it from the standard input
  --topic TOPIC        the MQTT topic it came on; without one it is read as by HTTP
  --device DEVICE      a device of the site file: its decoder, mapping and counters are used
  --site FILE          the site file; without one the demo site
  --channel CHANNEL    the channel that a message by HTTP names
  --content-type TYPE  of a message by HTTP
  --decoder DECODER    the byte table of a LoRaWAN device
  --mapping FILE       a counter's mapping, as JSON`;

const text = { type: 'string' } as const;
const options = {
	...{ topic: text, device: text, site: text, channel: text },
	...{ 'content-type': text, decoder: text, mapping: text }
};

process.exitCode = main();

function main(): number {
	try {
		const { values, positionals } = parseArgs({ options, allowPositionals: true });
		const [adapter, file] = positionals;
		if (adapter === undefined || file === undefined || positionals.length > 2) return fail(usage);
		const { 'content-type': contentType, mapping, site: siteFile, ...same } = values;
		const request: unknown = {
			...{ adapter, ...same, encoding: 'base64' },
			payload: readFileSync(file === '-' ? 0 : here(file)).toString('base64'),
			...(contentType !== undefined && { contentType }),
			...(mapping !== undefined && { mapping: JSON.parse(readFileSync(here(mapping), 'utf8')) as unknown })
		};
		if (!Value.Check(PreviewRequest, request)) return fail(`${faultsOf(request)}\n${usage}`);
		const { site } = createSite({ siteFile: siteFile && here(siteFile) });
		const claim = claimsOf(site.id, site.countersByDevice).get(request.device ?? '');
		const answer = previewPayload(request, { site: site.id, claim, receivedAt: Date.now() });
		process.stdout.write(`${JSON.stringify(answer, null, '\t')}\n`);
		return answer.refused.length > 0 ? 1 : 0;
	} catch (error) {
		return fail(error instanceof Error ? error.message : 'unknown');
	}
}

/** npm runs us at the root: names of files mean where the person stands. */
function here(file: string): string {
	return resolve(process.env['INIT_CWD'] ?? '.', file);
}

function faultsOf(request: unknown): string {
	const faults = [...Value.Errors(PreviewRequest, request)].slice(0, 3);
	return faults
		.map(({ instancePath, message }) => `${instancePath.slice(1) || 'request'}: ${message}`)
		.join('; ');
}

function fail(message: string): number {
	process.stderr.write(`marsad: ${message}\n`);
	return 1;
}
