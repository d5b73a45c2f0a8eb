// POST /auth/register, /login, /refresh, /logout: start, renewal and end of a session.
import { z } from 'zod';
import type { Registered } from './registration.js';
import type { IssuedToken } from './sessions.js';
import { setCookie } from '../platform/http/openapi/headers.js';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route, type Route } from '../platform/http/route.js';
import type { Reply } from '../platform/http/response/reply.js';
import {
  accountResponse,
  apiKey,
  CHANGE_ERRORS,
  messageResponse,
  PASSWORD_ERRORS,
  presentAccount,
} from './schemas.routes.js';
import { currentPassword, email, endOldest, newPasswordField, nothing, registrationToken } from './fields.routes.js';

const accessSchema = z
  .object({
    accessToken: z
      .string()
      .regex(/^[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+$/)
      .meta({
        description: 'JWT for `Authorization: Bearer`.',
        example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjVmMmMifQ.e30.c2lnbmF0dXJl',
      }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().min(0).max(900).meta({
      description: 'Lifetime in seconds. `POST /auth/refresh` issues the next token.',
      example: 900,
    }),
  })
  .meta({ id: 'Access' });
const signedInSchema = accessSchema.extend({ account: accountResponse }).meta({ id: 'SignedIn' });
const registeredSchema = signedInSchema.extend({ apiKey }).meta({ id: 'Registered' });

const REGISTRATION_MESSAGE = 'A mail with a link to finish the registration is on its way.';

const COOKIES = {
  'Set-Cookie': setCookie(
    'Session cookie for 30 days and trusted-device cookie for 365: HttpOnly, SameSite=Strict and, over https, Secure.',
  ),
};

/** Returns the route. It is separate, since its documentation contains the minimum password length. */
export function registerRoute(minPasswordCharacters: number): Route {
  return route('POST /auth/register', {
    auth: 'none',
    summary: 'Register and get an API key',
    description:
      'The key is shown in this response only; it is stored as a hash. You are signed in, and get a mail with ' +
      'a link that verifies the address. On a service with `REGISTRATION=verified`, 202: the account is made with ' +
      'the link in a mail, and the answer is the same for an address that has an account; at most five mails in ' +
      'half an hour to one address. At most 100 registrations per hour from one client address.',
    body: z.strictObject({ email, password: newPasswordField(minPasswordCharacters) }),
    responses: {
      201: { description: 'The new account, its key, and an access token', schema: registeredSchema, headers: COOKIES },
      202: {
        description: 'With `REGISTRATION=verified`: the link is on its way',
        schema: messageResponse,
        example: { message: REGISTRATION_MESSAGE },
      },
    },
    errors: ['forbidden', 'email_taken', 'rate_limited', 'busy'],
    handle: async ({ body, client }, services) => {
      const registered = await services.registration.register({ ...body, client });
      return registered === 'mailed'
        ? json(202, { message: REGISTRATION_MESSAGE }, NO_STORE)
        : welcome(registered, services);
    },
  });
}

export const signInRoutes: readonly Route[] = [
  route('POST /auth/confirm-registration', {
    auth: 'none',
    summary: 'Register with a mailed link',
    description:
      'For services with `REGISTRATION=verified`. Creates the account that `POST /auth/register` was asked for, with a ' +
      'verified address. The link works once, for 24 hours; one that is unknown or expired is `invalid_request`, one ' +
      'that was used `email_taken`.',
    body: z.strictObject({ token: registrationToken }),
    responses: {
      201: { description: 'The new account, its key, and an access token', schema: registeredSchema, headers: COOKIES },
    },
    errors: ['forbidden', 'email_taken', 'rate_limited'],
    handle: async ({ body: { token }, client }, services) =>
      welcome(await services.registration.confirm(token, client), services),
  }),
  route('POST /auth/login', {
    auth: 'none',
    summary: 'Sign in',
    description:
      'Other sessions stay. An account has at most 100 live ones: then the answer is `session_limit`, unless ' +
      '`endOldest` makes room. Limits for wrong passwords: 10 in 15 minutes and 100 a day per e-mail address, ' +
      'those in `currentPassword` of other routes included, and 50 in 5 minutes per client address. A browser that ' +
      'signed in before carries a device cookie and has a separate limit. Limits for successful sign-ins: 200 in 15 minutes and 2,000 a day per account, 300 ' +
      'in 15 minutes per client address. Keep the session and renew its access token (`POST /auth/refresh`) ' +
      'instead of signing in for each request.',
    body: z.strictObject({ email, password: currentPassword, endOldest }),
    responses: { 200: { description: 'The account and an access token', schema: signedInSchema, headers: COOKIES } },
    errors: ['account_suspended', 'session_limit', ...PASSWORD_ERRORS],
    handle: async ({ body, client }, { signIn, cookies, now }) => {
      const signedIn = await signIn.signIn({ ...body, client });
      return json(
        200,
        { account: presentAccount(signedIn.account, now()), ...presentAccess(signedIn.access) },
        NO_STORE,
        ...cookies.signedIn(signedIn),
      );
    },
  }),
  route('POST /auth/refresh', {
    auth: 'cookie',
    summary: 'Get a new access token',
    description:
      'A session ends 7 days after its last use, and 30 days after sign-in. For pages of this service only: ' +
      '`Origin` must be its origin, or `Sec-Fetch-Site` must be `same-origin`.',
    body: nothing,
    responses: { 200: { description: 'An access token', schema: accessSchema } },
    handle: ({ caller }, { sessions }) => json(200, presentAccess(sessions.refresh(caller)), NO_STORE),
  }),
  route('POST /auth/logout', {
    auth: 'bearer-or-cookie',
    summary: 'Sign out',
    description:
      'Ends this session. With the cookie: for pages of this service only and with a JSON body (`{}`), as ' +
      '`POST /auth/refresh`; the response is the same if the session has ended already.',
    body: nothing,
    responses: {
      204: {
        description: 'The session has ended',
        headers: { 'Set-Cookie': setCookie('Deletes the session cookie.') },
      },
    },
    errors: CHANGE_ERRORS,
    handle: async ({ caller, client }, { sessions, cookies }) => {
      if (caller) await sessions.end(caller, caller.session.id, client);
      return noContent(cookies.signedOut);
    },
  }),
];

function welcome(registered: Registered, { cookies, now }: Pick<Services, 'cookies' | 'now'>): Reply {
  const { account, access, apiKey } = registered;
  const body = { account: presentAccount(account, now()), apiKey, ...presentAccess(access) };
  return json(201, body, NO_STORE, ...cookies.signedIn(registered));
}

function presentAccess({ token, expiresInSeconds }: IssuedToken): z.input<typeof accessSchema> {
  return { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds };
}
