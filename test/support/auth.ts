// Requests to /auth, from programs and from browsers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD } from './accounts.js';
import { unfolded } from './quoted-printable.js';
import { PUBLIC_ORIGIN, type TestServer } from './server.js';
import type { LinkPurpose } from '../../src/accounts/email-link.js';

export interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly bearer?: string;
  /** Cookies in the form `name=value; name=value`. */
  readonly cookie?: string;
  readonly headers?: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or an empty object if the response has no body. */
  readonly body: Record<string, unknown>;
  readonly text: string;
}

/** Sends a request with a JSON body. The default method is POST. */
export async function ask(
  server: Pick<TestServer, 'base'>,
  path: string,
  { method = 'POST', body, bearer, cookie, headers }: Ask = {},
): Promise<Answer> {
  const response = await fetch(server.base + path, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      ...(cookie !== undefined && { Cookie: cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

/** Headers that a page of the dashboard sends with the session cookie. */
export const OWN_PAGE = { Origin: PUBLIC_ORIGIN, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };

let strangers = 0;
/**
 * Returns the header with the client's address, for a server that trusts one proxy. Without `address`, each call
 * returns a new address.
 */
export function from(address?: string): { readonly 'X-Forwarded-For': string } {
  strangers += 1;
  return { 'X-Forwarded-For': address ?? `10.${strangers >> 16}.${(strangers >> 8) & 255}.${strangers & 255}` };
}

export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly apiKey: string;
  readonly accessToken: string;
  /** Session cookie and device cookie. */
  readonly cookie: string;
  readonly sessionCookie: string;
  readonly deviceCookie: string;
}

/** Returns the credentials from a successful registration or sign-in. */
export function signedIn({ status, headers, body, text }: Answer): SignedIn {
  if (status >= 300) throw new Error(`not signed in: ${status} ${text}`);
  const { account, apiKey, accessToken } = body as {
    account: { id: string; email: string };
    apiKey: string;
    accessToken: string;
  };
  const [sessionCookie = '', deviceCookie = ''] = headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  return {
    id: account.id,
    email: account.email,
    apiKey,
    accessToken,
    cookie: `${sessionCookie}; ${deviceCookie}`,
    sessionCookie,
    deviceCookie,
  };
}

/** Returns functions for requests that account tests often make. Each request comes from a new client address. */
export function accountCalls(server: TestServer) {
  const call = (path: string, given: Ask) => ask(server, path, { headers: from(), ...given });
  return {
    register: (email: string, password = PASSWORD) => call('/auth/register', { body: { email, password } }),
    login: (email: string, password = PASSWORD, more: Pick<Ask, 'cookie' | 'headers'> = {}) =>
      call('/auth/login', { body: { email, password }, ...more }),
    /** Sends a request with the account's password as confirmation. `fields` may replace the password. */
    confirm: (path: string, bearer: string, fields: object = {}, method = 'POST') =>
      call(path, { method, bearer, body: { currentPassword: PASSWORD, ...fields } }),
    refresh: (cookie: string) => ask(server, '/auth/refresh', { cookie, headers: OWN_PAGE }),
    /** Returns the status of GET /auth/me, which tells whether the access token is valid. */
    me: async (bearer: string) => (await ask(server, '/auth/me', { method: 'GET', bearer })).status,
  };
}

/** Time after which `eventually` fails, ms. Only a request that hangs takes this long. */
const WAIT_MS = 45_000;
const STEP_MS = 20;

/** Returns the mails that were sent to this address, oldest first. */
export function mailsTo(server: TestServer, email: string): string[] {
  const folder = join(server.dataDir, 'outbox');
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  } catch {
    return [];
  }
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).filter((mail) => mail.includes(`To: ${email}`));
}

/** Repeats `look` until its result is neither undefined nor false. Returns this result. */
export async function eventually<Found>(
  look: () => Found | undefined | false | Promise<Found | undefined | false>,
  what: string,
): Promise<Found> {
  const deadlineMs = performance.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadlineMs) throw new Error(`no ${what} within ${WAIT_MS} ms`);
    await sleep(STEP_MS);
  }
}

export function linkTokens(server: TestServer, email: string, purpose: LinkPurpose): string[] {
  const address = new RegExp(`/${purpose}#token=([\\w-]+)`);
  return mailsTo(server, email).flatMap((mail) => address.exec(unfolded(mail))?.[1] ?? []);
}

/** Waits for a mail with a link whose token is not in `known`. Returns the token. */
export function newLinkToken(
  server: TestServer,
  email: string,
  { purpose, known = [] }: { purpose: LinkPurpose; known?: readonly string[] },
): Promise<string> {
  return eventually(
    () => linkTokens(server, email, purpose).find((token) => !known.includes(token)),
    `${purpose} mail to ${email}`,
  );
}
