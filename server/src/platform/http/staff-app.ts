import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
	FastifyBaseLogger,
	FastifyInstance,
	RawReplyDefaultExpression,
	RawRequestDefaultExpression,
	RawServerDefault
} from 'fastify';
import type { Account } from '../../../contract/index.ts';

/** The scope of staff routes: TypeBox schemas, a signed-in account on every request (`request.account`). */
export type StaffApp = FastifyInstance<
	RawServerDefault,
	RawRequestDefaultExpression,
	RawReplyDefaultExpression,
	FastifyBaseLogger,
	TypeBoxTypeProvider
>;

declare module 'fastify' {
	interface FastifyRequest {
		/** Who is signed in; null only on calls open to anyone or to devices. */
		account: Account | null;
	}
}
