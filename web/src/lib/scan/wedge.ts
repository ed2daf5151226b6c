/** What a keyboard says of one press. */
export interface Press {
	/** Where the key lies; empty from readers of some handhelds, which say the letter alone. */
	code: string;
	key?: string;
	shiftKey: boolean;
	/** Milliseconds of any steady clock. */
	at: number;
	/** Ctrl, Alt or Meta: never a letter of a code. */
	isCommand: boolean;
}

/** A reader types much faster than a person. */
const betweenMsMax = 120;
/** A busy device gives a reader's letters late; what began as a code goes on so long. */
export const stallMsMax = 1_500;
/** Shorter bursts are a person at the keyboard. */
const lettersMin = 12;
const lettersMax = 400;

/** Letters of base45 and of the pairing code on a keyboard of the United States, which wedge readers pose as. */
const plain: Record<string, string> = {
	Space: ' ',
	Minus: '-',
	Period: '.',
	Slash: '/',
	NumpadAdd: '+',
	NumpadSubtract: '-',
	NumpadMultiply: '*',
	NumpadDivide: '/',
	NumpadDecimal: '.'
};
const shifted: Record<string, string> = {
	Space: ' ',
	Digit4: '$',
	Digit5: '%',
	Digit8: '*',
	Equal: '+',
	Semicolon: ':'
};

/** The letter of a key by where it lies: an Arabic layout changes what it writes, not where it is. */
export function letterOf({ code, key, shiftKey }: Pick<Press, 'code' | 'key' | 'shiftKey'>): string | null {
	if (isUnplaced(code)) return isLetter.test(key ?? '') ? key!.toUpperCase() : null;
	const letter = /^Key([A-Z])$/.exec(code)?.[1];
	// Codes have no lower case: a caps lock that is on changes nothing.
	if (letter) return letter;
	if (shiftKey) return shifted[code] ?? null;
	const digit = /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1];
	return digit ?? plain[code] ?? null;
}

const isLetter = /^[0-9A-Za-z $%*+\-./:]$/;
const isUnplaced = (code: string) => code === '' || code === 'Unidentified';

const codeStarts = ['P1:', 'MARSAD-SCANNER:'];
/** Whether a text says of itself that it is one of ours. */
export const isCode = (text: string) => codeStarts.some((start) => text.startsWith(start));
const couldBeCode = (text: string) =>
	text !== '' && codeStarts.some((start) => start.startsWith(text) || text.startsWith(start));

/** `text`: the whole one when Enter ends a burst, else null. `isBurst`: the press belongs to a reader. */
export interface Heard {
	text: string | null;
	isBurst: boolean;
	/** A code began and its letters did not all come: nothing is known of it. */
	isBroken?: boolean;
}

export interface Wedge {
	press(press: Press): Heard;
	/** No key came for {@link stallMsMax}. @returns whether a code broke off */
	silence(): boolean;
}

/** Tells a keyboard-wedge reader from a person: many letters in quick succession, ended by Enter. */
export function createWedge(): Wedge {
	let text = '';
	let lastAt = -Infinity;
	/** Where the letters went on after a stall: a second reading may begin there. */
	let resumedAt = 0;
	let isBroken = false;

	const begin = () => {
		isBroken ||= isCode(text);
		[text, resumedAt] = ['', 0];
	};
	const end = (): Heard => {
		const tail = text.slice(resumedAt);
		const whole = isCode(tail) ? tail : text;
		const isWhole = whole.length >= lettersMin && (isCode(whole) || !isBroken);
		const heard: Heard = isWhole
			? { text: whole, isBurst: true }
			: { text: null, isBurst: text.length > 2, isBroken: isBroken && text !== '' };
		[text, resumedAt, isBroken] = ['', 0, false];
		return heard;
	};
	return {
		press({ code: place, key = '', shiftKey, at, isCommand }) {
			const code = isUnplaced(place) && (key.length > 1 || key === '') ? key : place;
			if (code.startsWith('Shift') || code === 'CapsLock') return { text: null, isBurst: text.length > 2 };
			const pauseMs = at - lastAt;
			if (isCommand) [text, resumedAt] = ['', 0];
			else if (pauseMs > betweenMsMax) {
				if (couldBeCode(text) && pauseMs <= stallMsMax) resumedAt = text.length;
				else begin();
			}
			lastAt = at;
			if (isCommand) return { text: null, isBurst: false };
			if (code === 'Enter' || code === 'NumpadEnter' || code === 'Tab') return end();
			const letter = letterOf({ code, key, shiftKey });
			// A letter that no code has spoils the burst, and is kept so that the scan is answered all the same.
			text = (text + (letter ?? '?')).slice(0, lettersMax);
			return { text: null, isBurst: text.length > 2 };
		},
		silence() {
			if (!isCode(text)) return false;
			begin();
			return true;
		}
	};
}
