import type { AdapterName } from '../../../../contract/index.ts';
import type { Adapter } from '../reading.ts';
import { axis } from './axis.ts';
import { chirpstack } from './chirpstack.ts';
import { frigate } from './frigate.ts';
import { generic } from './generic.ts';
import { hikvision } from './hikvision.ts';
import { irisys } from './irisys.ts';
import { milesight } from './milesight.ts';
import { onvif } from './onvif.ts';
import { own } from './own.ts';
import { tts } from './tts.ts';
import { waltti } from './waltti.ts';
import { xovis } from './xovis.ts';
import { zigbee2mqtt } from './zigbee2mqtt.ts';

/** All adapters by name. */
export const adapters: Readonly<Record<AdapterName, Adapter>> = {
	own,
	generic,
	frigate,
	onvif,
	axis,
	chirpstack,
	tts,
	milesight,
	xovis,
	hikvision,
	irisys,
	zigbee2mqtt,
	waltti
};
