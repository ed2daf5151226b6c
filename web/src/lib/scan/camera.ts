/** Why there is no picture. */
export type CameraFault = 'refused' | 'none' | 'busy' | 'failed';

export interface Camera {
	stream: MediaStream;
	deviceId: string | null;
	hasTorch: boolean;
	/** Cameras of this device by name; names are known once a camera was allowed. */
	choices: { deviceId: string; label: string }[];
	setTorch(isOn: boolean): Promise<void>;
	stop(): void;
}

/** Opens the camera that was chosen, else the one that looks away from the person who holds the device. */
export async function openCamera(deviceId: string | null): Promise<Camera | CameraFault> {
	const { mediaDevices } = navigator;
	if (!mediaDevices?.getUserMedia) return 'none';
	const size = { width: { ideal: 1_280 }, height: { ideal: 720 } };
	const which = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: { ideal: 'environment' } };
	try {
		return await describe(await mediaDevices.getUserMedia({ video: { ...size, ...which }, audio: false }));
	} catch (error) {
		const name = error instanceof DOMException ? error.name : '';
		// The camera that was chosen is gone: another one is better than none.
		if (deviceId && (name === 'OverconstrainedError' || name === 'NotFoundError')) return openCamera(null);
		return faultOf(name);
	}
}

export function faultOf(name: string): CameraFault {
	if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
	if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none';
	return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'failed';
}

/** What some browsers know of a camera beyond the common list. */
interface MoreOfCamera {
	torch?: boolean;
	focusMode?: string[];
}

async function describe(stream: MediaStream): Promise<Camera> {
	const [track] = stream.getVideoTracks();
	const able = (track?.getCapabilities?.() ?? {}) as MoreOfCamera;
	const apply = (wish: object) =>
		track?.applyConstraints({ advanced: [wish] } as MediaTrackConstraints).catch(() => undefined);
	if (able.focusMode?.includes('continuous')) await apply({ focusMode: 'continuous' });
	const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
	return {
		stream,
		deviceId: track?.getSettings().deviceId ?? null,
		hasTorch: able.torch === true,
		choices: all
			.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
			.map(({ deviceId, label }) => ({ deviceId, label })),
		setTorch: async (isOn) => void (await apply({ torch: isOn })),
		stop: () => stream.getTracks().forEach((each) => each.stop())
	};
}
