import { Type, type Static } from 'typebox';

/** Where and as whom the public page signs people in: code + PKCE, by the page itself. */
export const SignIn = Type.Object({
	issuer: Type.String(),
	clientId: Type.String(),
	authorizationEndpoint: Type.String(),
	tokenEndpoint: Type.String(),
	scope: Type.String()
});
export type SignIn = Static<typeof SignIn>;

/**
 * GET /queue/settings: what the public page must know before it can say who asks. Public, the same for all, cacheable.
 * `demo`: `?user=` is believed · `sign-in`: `signIn` says where · `unavailable`: the issuer does not answer just now ·
 * `none`: no issuer is configured.
 */
export const PublicSettings = Type.Object({
	identity: Type.Union([
		Type.Literal('demo'),
		Type.Literal('sign-in'),
		Type.Literal('unavailable'),
		Type.Literal('none')
	]),
	signIn: Type.Union([SignIn, Type.Null()]),
	/** The site's: every hour on the page is an hour there, wherever the phone is. */
	timeZone: Type.Optional(Type.String())
});
export type PublicSettings = Static<typeof PublicSettings>;
