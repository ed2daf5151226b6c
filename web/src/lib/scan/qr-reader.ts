import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Reads QR codes in a picture. */
export interface QrReader {
	read(picture: HTMLVideoElement | HTMLCanvasElement | ImageBitmap): Promise<string[]>;
	/** Whose code it is, for the list of this device's parts. */
	kind: 'browser' | 'own';
}

interface NativeDetector {
	detect(picture: unknown): Promise<{ rawValue: string }[]>;
}
interface NativeDetectorClass {
	new (options: { formats: string[] }): NativeDetector;
	getSupportedFormats(): Promise<string[]>;
}

/**
 * The browser's own reader where it really reads QR codes, else ours, whose WebAssembly file comes from this server and is
 * kept on the device: it never asks another one.
 */
export async function createQrReader(): Promise<QrReader> {
	const native = await findNative();
	let own: QrReader | null = null;
	const useOwn = async () => (own ??= await createOwnReader());
	if (!native) return useOwn();
	let isBroken = false;
	return {
		get kind() {
			return isBroken ? ('own' as const) : ('browser' as const);
		},
		async read(picture) {
			if (!isBroken) {
				try {
					return (await native.detect(picture)).map(({ rawValue }) => rawValue);
				} catch (error) {
					// A picture that is not there yet is no fault of the reader.
					if (error instanceof DOMException && error.name === 'InvalidStateError') return [];
					isBroken = true;
				}
			}
			return (await useOwn()).read(picture);
		}
	};
}

async function findNative(): Promise<NativeDetector | null> {
	const known = (globalThis as { BarcodeDetector?: NativeDetectorClass }).BarcodeDetector;
	try {
		if (!known || !(await known.getSupportedFormats()).includes('qr_code')) return null;
		const detector = new known({ formats: ['qr_code'] });
		// Some browsers name the format and fail when it is used: a blank picture tells.
		const blank = document.createElement('canvas');
		[blank.width, blank.height] = [32, 32];
		blank.getContext('2d')?.fillRect(0, 0, 32, 32);
		await detector.detect(blank);
		return detector;
	} catch {
		return null;
	}
}

async function createOwnReader(): Promise<QrReader> {
	const { BarcodeDetector, prepareZXingModule } = await import('barcode-detector/ponyfill');
	await prepareZXingModule({
		overrides: {
			locateFile: (path: string, folder: string) => (path.endsWith('.wasm') ? wasmUrl : folder + path)
		},
		fireImmediately: true
	});
	const detector = new BarcodeDetector({ formats: ['qr_code'] });
	return {
		kind: 'own',
		read: async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue)
	};
}
