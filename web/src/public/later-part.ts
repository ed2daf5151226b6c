import { callBooking } from './calls-booking.ts';
import { createLater } from './later.ts';
import { settleBooking, tick } from './machine-booking.ts';
import { parts } from './parts.ts';

parts().later = { createLater, settleBooking, tick, callBooking };
