import QRCode from 'qrcode';

/** Modules of white around the code that readers need. */
const quietZone = 4;

/**
 * The QR code of a permit's text as SVG, in one alphanumeric segment.
 * @param level M on screens, where fewer modules read better; Q on paper, which gets torn
 */
export function drawQr(text: string, level: 'M' | 'Q'): Promise<string> {
	const segments = [{ data: text, mode: 'alphanumeric' as const }];
	return QRCode.toString(segments, { type: 'svg', errorCorrectionLevel: level, margin: quietZone });
}
