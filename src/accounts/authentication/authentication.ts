// Authentication of requests: the only place that reads API keys, bearer tokens and cookies.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Tier } from '../plan.js';
import { tierAt } from '../tier.js';
import { hostOf, originsOf, pageOrigin } from '../page-origin.js';
import { PUBLISHABLE_KEY_PREFIX } from '../publishable-key.js';
import { AppError, ignoring, invalidField } from '../../platform/errors.js';
import { createClient, fairnessKey, rateLimitKey, type Client } from '../client-info.js';
import type { Caller, Sessions, Suspension } from '../sessions.js';
import { credentialOf, publishableCredentialOf, type Credential } from '../credential.js';
import type { AccountOwner, CallerKind, Callers, Requester } from './callers.js';
import type { BrowserCookies } from './cookies.js';
import { assertOwnPage, assertSameOrigin } from './csrf.js';
import { noteAccount } from './known-account.js';

/** Authorization header with a bearer token (RFC 6750, section 2.1). */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

interface Options {
  readonly sessions: Pick<Sessions, 'byBearer' | 'byCookie'>;
  /** Checks the key, counts the request against the account's burst limit, and returns the account's tier. */
  readonly verifyKey: (credential: Credential) => Promise<Tier>;
  readonly cookies: BrowserCookies;
  /** Origin of PUBLIC_URL. */
  readonly origin: string;
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

/**
 * Keys of a client address for rate limits and for fair queues. They are cached, because parsing an address takes some
 * microseconds.
 */
const clientKeys = new LRUCache<string, Pick<Client, 'rateLimitKey' | 'fairnessKey'>>({
  max: 10_000,
  memoMethod: (address) => ({ rateLimitKey: rateLimitKey(address), fairnessKey: fairnessKey(address) }),
});
/**
 * Origin of a page → all origin rules that allow this page. To load pictures in the page, a publishable key needs one
 * of these rules.
 */
const allowingPage = new LRUCache<string, readonly string[]>({
  max: 1000,
  memoMethod: (page) => originsOf(hostOf(page)),
});

/**
 * All methods except `client` throw AppError `invalid_request` for a request with two credentials. If the account is
 * suspended, the methods that identify an account throw `account_suspended`. Only `bearer-or-cookie` accepts suspended
 * accounts, so that their owners can sign out.
 */
export function createAuthentication({ sessions, verifyKey, cookies, origin, now }: Options) {
  async function byBearer({ req: { headers } }: Context, suspension?: Suspension): Promise<Caller> {
    rejectTwo(headers);
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) throw new AppError('invalid_token', noTokenText(headers));
    return sessions.byBearer(token, suspension);
  }

  const callers: Identify = {
    async none({ req: { headers } }) {
      rejectTwo(headers);
      return {};
    },
    /** Throws AppError `invalid_token`. */
    bearer: async (context) => ({ caller: await byBearer(context) }),

    /** Throws AppError: `forbidden`, `unsupported_media_type`, `session_ended`. */
    async cookie(context) {
      rejectTwo(context.req.headers);
      assertSameOrigin(context, origin);
      const token = cookies.session(context.req.headers);
      if (token === undefined) throw new AppError('session_ended', 'There is no session cookie. Sign in first.');
      return { caller: await sessions.byCookie(token) };
    },

    /**
     * Uses the bearer token if there is one, else the cookie. Throws the errors of `bearer` and `cookie`, except
     * `session_ended`.
     */
    async 'bearer-or-cookie'(context) {
      const { headers } = context.req;
      const token = headers.authorization === undefined ? cookies.session(headers) : undefined;
      if (token === undefined) return { caller: await byBearer(context, 'allow') };
      assertSameOrigin(context, origin);
      return { caller: await sessions.byCookie(token, 'allow').catch(ignoring('session_ended')) };
    },

    /** Throws AppError `forbidden`. */
    async visitor(context) {
      const { headers } = context.req;
      rejectTwo(headers);
      assertOwnPage(context, origin);
      const token = cookies.session(headers);
      if (token === undefined) return { caller: undefined };
      return { caller: await sessions.byCookie(token).catch(ignoring('session_ended')) };
    },

    /**
     * Throws AppError `invalid_api_key`. For an invalid access token, throws the error code that the route has in
     * `wrongToken`, or `invalid_token` if it has none.
     */
    async 'key-or-bearer'(context, { wrongToken }) {
      if (context.req.headers.authorization === undefined) return { requester: presentedRequester(context) };
      if (wrongToken === undefined) return { requester: { kind: 'bearer', caller: await byBearer(context) } };
      const caller = await byBearer(context).catch(ignoring('invalid_token'));
      if (!caller) throw new AppError(wrongToken, ENDED_TOKEN);
      return { requester: { kind: 'bearer', caller } };
    },

    /**
     * Checks the credential before the body is read, so that clients without a valid credential cannot send large
     * bodies. Throws AppError `invalid_api_key`, `rate_limited`, `invalid_token`.
     */
    async account(context) {
      if (context.req.headers.authorization === undefined) return { owner: await keyOwner(context, verifyKey) };
      return { owner: sessionOwner(await byBearer(context), new Date(now())) };
    },

    /** Throws AppError `invalid_api_key`. */
    'own-key': async (context) => ({ requester: presentedRequester(context) }),
  };

  return {
    callers,

    client: (context: Context): Client =>
      createClient({
        address: context.ip,
        ...clientKeys.memo(context.ip),
        userAgent: context.req.headers['user-agent'],
        deviceToken: cookies.device(context.req.headers),
      }),
  };
}

export type Authentication = ReturnType<typeof createAuthentication>;

type Identify = {
  readonly [A in CallerKind]: (
    context: Context,
    route: { readonly wrongToken?: 'invalid_api_key' },
  ) => Promise<Callers[A]>;
};

function sessionOwner({ account, session }: Caller, at: Date): AccountOwner {
  return { accountId: account.id, tier: tierAt(account, at), proof: { kind: 'session', session: session.id } };
}

async function keyOwner({ req }: Context, verifyKey: Options['verifyKey']): Promise<AccountOwner> {
  const credential = presentedKey(req);
  const tier = await verifyKey(credential);
  const { accountId, keyHash } = credential;
  return { accountId, tier, proof: { kind: 'key', keyHash } };
}

function presentedRequester(context: Context): Requester {
  const credential = presentedKey(context.req);
  return { kind: 'key', credential, found: (tier) => noteAccount(context, credential.accountId, tier) };
}

/**
 * Returns the credential of a picture request: the publishable key `key` from the URL, or else the key in the header
 * `X-API-Key`. `isForeign`: true if the URL imitates another logo service. If that URL has a key, the header
 * `Authorization` is ignored, because it contains a credential for the other service. Throws AppError
 * `invalid_api_key`, `invalid_request`. No I/O.
 */
export function credentialForPicture(
  key: Credential | undefined,
  context: Context,
  { isForeign }: { readonly isForeign?: true },
): Credential {
  const { headers } = context.req;
  const sent = headers['x-api-key'];
  if (key) {
    if (sent !== undefined || (headers.authorization !== undefined && isForeign !== true))
      throw invalidField('key', 'send a publishable key in the URL or a credential in a header, not both');
    return onPage(key, context);
  }
  rejectTwo(headers);
  rejectSeveral(sent);
  return isPublishable(sent) ? onPage(publishableCredentialOf(sent, 'X-API-Key'), context) : presentedKey(context.req);
}

/**
 * Adds what the check of a publishable key needs: the visitor's address, and the origin rules that allow the requesting
 * page.
 */
function onPage({ accountId, keyHash }: Credential, { req: { headers }, ip }: Context): Credential {
  const page = pageOrigin(headers.origin, headers.referer);
  return {
    accountId,
    keyHash,
    allowingOrigins: page === undefined ? NO_PAGE : allowingPage.memo(page),
    visitor: clientKeys.memo(ip).fairnessKey,
  };
}

const NO_PAGE: readonly string[] = [];

function isPublishable(key: IncomingHttpHeaders[string]): key is string {
  return typeof key === 'string' && key.startsWith(PUBLISHABLE_KEY_PREFIX);
}

/**
 * Throws AppError `invalid_api_key` if the request has a publishable key, because publishable keys can only load
 * pictures.
 */
export function rejectPublishableKey(headers: IncomingHttpHeaders, keyInUrl: string | undefined): void {
  if (!isPublishable(keyInUrl) && !isPublishable(headers['x-api-key'])) return;
  throw new AppError(
    'invalid_api_key',
    'A publishable key gives access to pictures only: /v1/svg, /v1/png, /v1/webp, /v1/logo, /v1/strip, /v1/favicon, /iconify and /compat. Send an API key in the X-API-Key header instead.',
  );
}

const ENDED_TOKEN =
  'The access token is not valid, or its session has ended. Get a new one with POST /auth/refresh, or sign in again.';
const SEND_TOKEN =
  'Send an access token from POST /auth/login or /auth/refresh as Authorization: Bearer <accessToken>.';

function noTokenText({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string {
  if (authorization !== undefined) return `The Authorization header does not contain an access token. ${SEND_TOKEN}`;
  return key === undefined
    ? `The access token is missing. ${SEND_TOKEN}`
    : `This route does not accept an API key. ${SEND_TOKEN}`;
}

/**
 * Last API key of each connection, cached because parsing takes some microseconds. Most connections send only one key.
 */
const lastCredentials = new WeakMap<Socket, { readonly key: string; readonly credential: Credential }>();

/**
 * Returns the well-formed API key of a request, without checking that it exists. Throws AppError `invalid_api_key`. No
 * I/O.
 */
export function presentedKey({ headers, socket }: IncomingMessage): Credential {
  rejectTwo(headers);
  const key = headers['x-api-key'];
  const last = lastCredentials.get(socket);
  if (last !== undefined && last.key === key) return last.credential;
  if (key === undefined && headers.authorization !== undefined)
    throw new AppError(
      'invalid_api_key',
      'This route does not accept the Authorization header. Send the API key in the X-API-Key header.',
    );
  rejectSeveral(key);
  const credential = credentialOf(typeof key === 'string' ? key : undefined);
  if (typeof key === 'string') lastCredentials.set(socket, { key, credential });
  return credential;
}

/**
 * Returns the well-formed API key of a request from `X-API-Key`, or from `Authorization: Bearer`. Does not check that
 * the key exists. Throws AppError `invalid_api_key`.
 */
export function presentedOrBearerKey(request: IncomingMessage): Credential {
  const { 'x-api-key': key, authorization } = request.headers;
  if (key !== undefined || authorization === undefined) return presentedKey(request);
  return credentialOf(BEARER.exec(authorization)?.[1]);
}

/** Throws if the header is repeated. Node joins the values with a comma, which no key contains. */
function rejectSeveral(key: IncomingHttpHeaders[string]): void {
  if (typeof key === 'string' && key.includes(','))
    throw new AppError('invalid_api_key', 'X-API-Key is given more than once. Send one key.');
}

function rejectTwo({ 'x-api-key': key, authorization }: IncomingHttpHeaders): void {
  if (key !== undefined && authorization !== undefined)
    throw invalidField('Authorization', 'send either X-API-Key or Authorization, not both');
}
