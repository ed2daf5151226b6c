/** A token of the person, and until when (epoch ms, the issuer's word): kept by the tab alone. */
export interface PersonToken {
	token: string;
	until: number;
}

/** Names in the tab's storage: the token, and that the last sign-in did not work. */
export const tokenName = 'marsad.token';
export const failureName = 'marsad.sign-in-failed';
