import type { createLater } from './later.ts';
import type { callBooking } from './calls-booking.ts';
import type { settleBooking, tick } from './machine-booking.ts';
import type { createOffer } from './offer.ts';
import type { printPaper } from './print.ts';
import type { beginSignIn, finishSignIn } from './sign-in.ts';

/** Scripts that come when they are needed; each lays down here what it can. */
export interface Parts {
	later?: {
		createLater: typeof createLater;
		settleBooking: typeof settleBooking;
		tick: typeof tick;
		callBooking: typeof callBooking;
	};
	offer?: { createOffer: typeof createOffer };
	print?: { printPaper: typeof printPaper };
	signIn?: { beginSignIn: typeof beginSignIn; finishSignIn: typeof finishSignIn };
}

/** A bundle of its own has no exports: the parts meet at the window. */
export function parts(): Parts {
	const place = globalThis as { marsadParts?: Parts };
	return (place.marsadParts ??= {});
}
