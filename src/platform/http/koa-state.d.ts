// Types of Koa's `context.state`, which the middleware of one request shares.
import type { HeaderFields, Reply } from './response/reply.js';

declare module 'koa' {
  interface DefaultState {
    requestId: string;
    /** Path pattern of the matched route, such as `/v1/svg/{slug}`; absent if no route matches. */
    route?: string;
    /** Fields for the log line, such as the account's id after its credential was verified. */
    logFields?: Readonly<Record<string, string>>;
    /** True if the response is logged only at the level `debug`. */
    isQuiet?: true;
    /** Reply to the request. Later middleware sets this field, and `respond` writes the reply. */
    reply: Reply;
    headers: HeaderFields[];
  }
}
