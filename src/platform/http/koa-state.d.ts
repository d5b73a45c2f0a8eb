// Types of what the middleware of one request share in Koa's `context.state`.
import type { HeaderFields, Reply } from './response/reply.js';

declare module 'koa' {
  interface DefaultState {
    requestId: string;
    /** Path of the route, with its parameters as names. Undefined: no route matches. */
    route?: string;
    /** Fields of the log, such as the account once its credential was verified. */
    logFields?: Readonly<Record<string, string>>;
    /** True: the answer is logged at level `debug`. */
    isQuiet?: true;
    /** Written by `respond` after all other middleware. */
    reply: Reply;
    /** Header fields beside those of the reply. */
    headers: HeaderFields[];
  }
}
