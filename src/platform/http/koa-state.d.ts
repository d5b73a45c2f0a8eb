// Types of the values in Koa's `context.state`, which the middleware of one request shares.
import type { HeaderFields, Reply } from './response/reply.js';

declare module 'koa' {
  interface DefaultState {
    requestId: string;
    /** Path of the route, with its parameters as names; undefined if no route matches. */
    route?: string;
    /** Fields for the log, such as the account once its credential was verified. */
    logFields?: Readonly<Record<string, string>>;
    /** If true, the response is logged at level `debug`. */
    isQuiet?: true;
    /** Reply, written by `respond` after all other middleware. */
    reply: Reply;
    /** Headers in addition to the reply's. */
    headers: HeaderFields[];
  }
}
