import { createOffer } from './offer.ts';
import { parts } from './parts.ts';

parts().offer = { createOffer };
