import { reservedDeviceNames, type CounterProperties, type ZoneProperties } from '../../../contract/index.ts';
import { fault, type Finding } from './finding.ts';

const ownDevice = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const bridgeDevice = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** What is wrong with one counter. */
export function counterFaults(
	counter: CounterProperties,
	zones: readonly { properties: ZoneProperties }[]
): Finding[] {
	const [who, wer] = [`Counter "${counter.id}"`, `العدّاد "${counter.id}"`];
	const zoneOf = (id: string | null) => zones.find(({ properties }) => properties.id === id)?.properties;
	const faults: Finding[] = [];
	for (const end of ['from', 'to'] as const) {
		const id = counter[end];
		if (id !== null && !zoneOf(id))
			faults.push(
				fault(
					`${who} names the zone "${id}" in "${end}", which does not exist.`,
					`${wer} يذكر في "${end}" المنطقة "${id}" وهي غير موجودة.`
				)
			);
	}
	if (counter.measures === 'crossing' && counter.from === counter.to)
		faults.push(
			fault(
				`${who} measures a crossing and needs two different sides.`,
				`${wer} يقيس عبورًا، فلا بدّ له من جهتين مختلفتين.`
			)
		);
	if (counter.measures !== 'crossing' && counter.to === null)
		faults.push(
			fault(
				`${who} measures people present and needs the zone they stand in as "to".`,
				`${wer} يقيس الحاضرين، فلا بدّ أن يذكر منطقتهم في "to".`
			)
		);
	const zone = zoneOf(counter.to);
	if (counter.measures === 'density' && zone && zone.areaSquareMetres === undefined)
		faults.push(
			fault(
				`${who} measures density, so zone "${zone.id}" needs its areaSquareMetres.`,
				`${wer} يقيس الكثافة، فتحتاج المنطقة "${zone.id}" إلى مساحتها areaSquareMetres.`
			)
		);
	return [...faults, ...adapterFaults(counter, who, wer)];
}

function adapterFaults(counter: CounterProperties, who: string, wer: string): Finding[] {
	const { adapter, device, topic } = counter;
	const faults: Finding[] = [];
	if (topic?.includes('#'))
		faults.push(
			fault(
				`${who}: its topic "${topic}" may hold + for one level, not #.`,
				`${wer}: يجوز في الموضوع "${topic}" الرمز + لمستوى واحد، لا الرمز #.`
			)
		);
	if (/[+#]/.test(device))
		faults.push(
			fault(`${who}: a device name holds no + or #.`, `${wer}: لا يجوز في اسم الجهاز الرمز + ولا #.`)
		);
	if (adapter === 'own') faults.push(...ownFaults(device, who, wer));
	else if (adapter === 'frigate') faults.push(...frigateFaults(counter, who, wer));
	else if (adapter === 'generic' && !counter.mapping)
		faults.push(
			fault(
				`${who} is read by the generic adapter and needs a "mapping": where its number stands.`,
				`${wer} يُقرأ بالمحوّل العام generic ولا بدّ له من "mapping" يبيّن موضع الرقم.`
			)
		);
	else if ((adapter === 'chirpstack' || adapter === 'tts') && !counter.decoder && !counter.mapping)
		faults.push(
			fault(
				`${who} comes through a LoRaWAN server and needs a "decoder", or a "mapping" of the decoded payload.`,
				`${wer} يأتي عبر خادم LoRaWAN ولا بدّ له من "decoder" أو من "mapping" للحمولة المفكوكة.`
			)
		);
	return faults;
}

function ownFaults(device: string, who: string, wer: string): Finding[] {
	const faults: Finding[] = [];
	if (!ownDevice.test(device))
		faults.push(
			fault(
				`${who}: the device name "${device}" may hold small letters, digits, - and _ only.`,
				`${wer}: لا يجوز في اسم الجهاز "${device}" إلا الأحرف اللاتينية الصغيرة والأرقام و- و_.`
			)
		);
	if (reservedDeviceNames.includes(device))
		faults.push(
			fault(
				`${who}: a device may not be called "${device}": topics use that name.`,
				`${wer}: لا يجوز أن يُسمّى جهاز "${device}" لأن المواضيع تستعمل هذا الاسم.`
			)
		);
	return faults;
}

function frigateFaults(
	{ device, channel, measures }: CounterProperties,
	who: string,
	wer: string
): Finding[] {
	const faults: Finding[] = [];
	if (!bridgeDevice.test(device) || device === 'marsad')
		faults.push(
			fault(
				`${who}: "${device}" cannot be the topic prefix of a Frigate host.`,
				`${wer}: لا يصلح "${device}" بادئةً لمواضيع Frigate.`
			)
		);
	if (channel === undefined || /[/+#]/.test(channel))
		faults.push(
			fault(
				`${who} is fed by Frigate and needs the Frigate zone or camera as its "channel".`,
				`${wer} مصدره Frigate ولا بدّ أن يذكر منطقته أو كاميرته في "channel".`
			)
		);
	if (measures !== 'present' && measures !== 'presence')
		faults.push(
			fault(
				`${who} is fed by Frigate, which reports people present only.`,
				`${wer} مصدره Frigate، وهو لا يعطي إلا عدد الحاضرين.`
			)
		);
	return faults;
}

/** One reading must mean one counter. */
export function channelFaults(counters: readonly CounterProperties[]): Finding[] {
	const seen = new Map<string, string>();
	const adapters = new Map<string, string>();
	const faults: Finding[] = [];
	for (const { id, device, channel, measures, adapter } of counters) {
		const key = [device, channel ?? '', measures].join('\n');
		const other = seen.get(key);
		if (other !== undefined)
			faults.push(
				fault(
					`Counters "${other}" and "${id}" listen to the same channel of device "${device}".`,
					`العدّادان "${other}" و"${id}" يستمعان إلى القناة نفسها من الجهاز "${device}".`
				)
			);
		seen.set(key, id);
		if ((adapters.get(device) ?? adapter) !== adapter)
			faults.push(
				fault(`Device "${device}" is claimed by two adapters.`, `الجهاز "${device}" يطلبه محوّلان.`)
			);
		adapters.set(device, adapter);
	}
	return faults;
}

/** Without an authority a zone could never be known. */
export function sourceFaults(
	zones: readonly { properties: ZoneProperties }[],
	counters: readonly CounterProperties[]
): Finding[] {
	if (counters.length === 0) return [];
	const known = new Set(
		counters
			.filter(({ authority, measures }) => authority && measures !== 'heat' && measures !== 'presence')
			.flatMap(({ measures, from, to }) => (measures === 'crossing' ? [from, to] : [to]))
	);
	return zones
		.filter(({ properties }) => !known.has(properties.id))
		.map(({ properties: { id } }) =>
			fault(
				`Zone "${id}" has no counter with authority: its occupancy could never be known.`,
				`ليس للمنطقة "${id}" عدّاد مرجعي، فلا يُعرف إشغالها أبدًا.`
			)
		);
}
