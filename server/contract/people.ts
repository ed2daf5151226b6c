import { Type, type Static } from 'typebox';

export const roles = [
	'duty-manager',
	'crowd-controller',
	'on-call-engineer',
	'team-leader',
	'steward',
	'provider',
	'viewer',
	'administrator'
] as const;
export const Role = Type.Enum(roles);
export type Role = (typeof roles)[number];

/** Body of POST /api/v1/session. */
export const SignInRequest = Type.Object(
	{
		email: Type.String({ minLength: 3, maxLength: 254 }),
		password: Type.String({ minLength: 1, maxLength: 1024 })
	},
	{ additionalProperties: false }
);
export type SignInRequest = Static<typeof SignInRequest>;

/** A password is the only factor here: shorter ones are refused where one is chosen. */
export const passwordLengthMin = 15;

/** Body of POST /api/v1/session/first: the one-time link of a new installation, and who comes in by it. */
export const FirstSignInRequest = Type.Object(
	{
		token: Type.String({ minLength: 1, maxLength: 128 }),
		email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }),
		password: Type.String({ minLength: passwordLengthMin, maxLength: 1024 })
	},
	{ additionalProperties: false }
);
export type FirstSignInRequest = Static<typeof FirstSignInRequest>;

/** Who is signed in. */
export const Account = Type.Object({
	id: Type.String(),
	email: Type.String(),
	name: Type.String(),
	role: Role
});
export interface Account {
	id: string;
	email: string;
	name: string;
	role: Role;
}

/** Answer of POST and GET /api/v1/session. */
export const Session = Type.Object({ account: Account, expiresAt: Type.Integer(), demo: Type.Boolean() });
export interface Session {
	account: Account;
	expiresAt: number;
	demo: boolean;
}

/** One line of the record. */
export const RecordEntry = Type.Object({
	id: Type.Integer(),
	at: Type.Integer(),
	actor: Type.String(),
	action: Type.String(),
	subject: Type.Union([Type.String(), Type.Null()]),
	reason: Type.Union([Type.String(), Type.Null()]),
	before: Type.Unknown(),
	after: Type.Unknown()
});
export type RecordEntry = Static<typeof RecordEntry>;
export const RecordPage = Type.Object({ entries: Type.Array(RecordEntry), next: Type.Integer() });
