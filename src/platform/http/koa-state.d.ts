// Types of what the middleware of one request share in Koa's `context.state`.
import type { KnownAccount } from '../../accounts/authentication/known-account.js';
import type { HeaderFields, Reply } from './response/reply.js';

declare module 'koa' {
  interface DefaultState {
    requestId: string;
    /** Path of the route, with its parameters as names. Undefined: no route matches. */
    route?: string;
    /** Known once the credential was found right. */
    knownAccount?: KnownAccount;
    /** True: the answer is logged at level `debug`. */
    isQuiet?: true;
    /** Written by `respond` after all other middleware. */
    reply: Reply;
    /** Header fields beside those of the reply. */
    headers: HeaderFields[];
  }
}
