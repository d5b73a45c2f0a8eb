// Requests to URLs that users choose. They reach only public addresses, unless the operator has made an exception.
import { setMaxListeners } from 'node:events';
import { Agent, ProxyAgent, request as send, type Dispatcher } from 'undici';
import {
  AddressNotAllowed,
  dialPinned,
  guardedConnector,
  HostNotFound,
  publicAddresses,
  type ConnectOptions,
} from './connect.js';
import { resolveByDns } from './resolve-host.js';
import { ACCEPTED_CODINGS, BodyTooLarge, readBody, UnknownCoding, type BodyLimits } from './response-body.js';
import { NO_EXCEPTIONS, outgoingUrl, targetOf, type Target } from './target.js';

export interface OutgoingOptions extends Partial<ConnectOptions> {
  readonly userAgent: string;
  /**
   * URL of an HTTP proxy for all requests except requests to `exceptions`; empty for no proxy. The proxy resolves the
   * host names, so it must not be able to reach private addresses. If this machine resolves a host to a private
   * address, the request is rejected before the proxy gets it.
   */
  readonly proxy?: string;
}

/**
 * Outgoing request. At most `maxRedirects` redirects are followed. Each redirect is checked like the first URL. If
 * `maxRedirects` is 0, a redirect is returned like any other response.
 */
export type OutgoingRequest = RequestFields &
  ({ readonly method: 'GET'; readonly maxRedirects: number } | { readonly method: 'POST'; readonly maxRedirects: 0 });

interface RequestFields extends BodyLimits {
  readonly url: string;
  /** Further headers. No cookie, referrer or credential is ever added. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time limit in ms for the request, including all redirects and the body. */
  readonly totalMs: number;
  readonly signal?: AbortSignal;
}

export interface OutgoingResponse {
  readonly ok: true;
  readonly status: number;
  /** Headers by name in lower case. If a header is repeated, only its first value. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** URL of the response, after all redirects. */
  readonly url: string;
  readonly body: Buffer;
}

/**
 * Reason for a failure. The API's responses about icons of sites must not contain this reason, because it would reveal
 * which names exist in the operator's network.
 */
export type OutgoingFailure =
  | 'not-allowed'
  | 'unresolved'
  | 'unreachable'
  | 'timeout'
  | 'redirects'
  | 'too-large'
  | 'malformed'
  | 'aborted';

export type OutgoingOutcome = OutgoingResponse | { readonly ok: false; readonly failure: OutgoingFailure };

export type Outgoing = ReturnType<typeof openOutgoing>;

const MAX_HEADER_BYTES = 16_384;
const IDLE_MS = 1000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

class NotFollowed extends Error {
  override readonly name = 'NotFollowed';
}

/** Opens the client. A connection goes to the address that was checked, and is reused for at most a second. */
export function openOutgoing(options: OutgoingOptions) {
  const { userAgent, proxy = '', exceptions = NO_EXCEPTIONS, resolve = resolveByDns, dial = dialPinned } = options;
  const limits = { keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS, maxHeaderSize: MAX_HEADER_BYTES };
  const direct = new Agent({ ...limits, connect: guardedConnector({ resolve, dial, exceptions }) });
  const proxied = proxy === '' ? undefined : new ProxyAgent({ ...limits, uri: proxy, proxyTunnel: false });

  /**
   * Returns the undici dispatcher for a target. If a proxy is used, rejects hosts that this machine resolves to private
   * addresses.
   */
  async function dispatcherFor({ origin, isException }: Target): Promise<Dispatcher> {
    if (!proxied || isException) return direct;
    await publicAddresses(new URL(origin).hostname, resolve).catch((error: unknown) => {
      // A HostNotFound error is ignored, because the proxy may know names that this machine cannot resolve.
      if (!(error instanceof HostNotFound)) throw error;
    });
    return proxied;
  }

  async function hop(url: URL, request: OutgoingRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const target = targetOf(url, exceptions);
    if (!target) throw new AddressNotAllowed('the URL is not allowed');
    const { method, headers, body } = request;
    return send(target.origin + url.pathname + url.search, {
      ...{ method, signal, body: body ?? null, dispatcher: await dispatcherFor(target) },
      ...{ headersTimeout: request.totalMs, bodyTimeout: request.totalMs },
      headers: { 'accept-encoding': ACCEPTED_CODINGS, ...headers, host: url.host, 'user-agent': userAgent },
    });
  }

  async function follow(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingResponse> {
    let url = outgoingUrl(request.url);
    for (let followed = 0; ; followed++) {
      if (!url) throw new AddressNotAllowed('the URL is not valid');
      const { statusCode: status, headers: fields, body } = await hop(url, request, signal);
      // A body that is destroyed before it is read emits an error. This listener prevents the error from ending the
      // process.
      body.on('error', () => undefined);
      const headers = firstValues(fields);
      const { location } = headers;
      if (!REDIRECTS.has(status) || location === undefined || request.maxRedirects === 0) {
        const bytes = await readBody(body, headers['content-encoding'] ?? '', request);
        return { ok: true, status, headers, url: url.href, body: bytes };
      }
      body.destroy();
      if (followed >= request.maxRedirects) throw new NotFollowed('there are too many redirects');
      url = outgoingUrl(location, url);
    }
  }

  return {
    /** Sends the request. Never rejects, because a failure is returned as an outcome. */
    request: (request: OutgoingRequest): Promise<OutgoingOutcome> =>
      inTime(request, (signal) => follow(request, signal)),
    /** Closes all connections. Running requests end immediately. */
    async close(): Promise<void> {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

const LATE = new Error('the time limit was exceeded');

/** Runs `work`, and aborts it when `totalMs` have passed or the caller aborts. */
async function inTime(
  { totalMs, signal }: Pick<OutgoingRequest, 'totalMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<OutgoingResponse>,
): Promise<OutgoingOutcome> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(LATE), totalMs);
  const leave = (): void => over.abort();
  if (signal) {
    // Turns off Node's warning about more than ten listeners, because many concurrent requests may share the caller's
    // signal.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', leave, { once: true });
  }
  // undici notices an abort only after it has connected. This promise rejects immediately when the caller aborts or the
  // time is over.
  const ended = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(new Error('the request has ended')), { once: true });
  });
  try {
    if (signal?.aborted === true) leave();
    return await Promise.race([work(over.signal), ended]);
  } catch (error) {
    if (over.signal.aborted) return { ok: false, failure: over.signal.reason === LATE ? 'timeout' : 'aborted' };
    return { ok: false, failure: failureOf(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

function firstValues(
  fields: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

const TIMEOUTS = /^(?:UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;
const MALFORMED = /^(?:HPE_|Z_|ERR__?BROTLI|ERR_PADDING|UND_ERR_HEADERS_OVERFLOW|ERR_INVALID)/;

function failureOf(error: unknown): OutgoingFailure {
  if (error instanceof AddressNotAllowed) return 'not-allowed';
  if (error instanceof HostNotFound) return 'unresolved';
  if (error instanceof NotFollowed) return 'redirects';
  if (error instanceof BodyTooLarge) return 'too-large';
  if (error instanceof UnknownCoding) return 'malformed';
  const { code, name } = error as NodeJS.ErrnoException;
  if (TIMEOUTS.test(String(code))) return 'timeout';
  if (name === 'HTTPParserError') return 'malformed';
  return MALFORMED.test(String(code)) ? 'malformed' : 'unreachable';
}
