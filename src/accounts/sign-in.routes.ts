// POST /auth/register, /login, /refresh, /logout: start, renew and end a session.
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
        description: 'JWT for the `Authorization: Bearer` header.',
        example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjVmMmMifQ.e30.c2lnbmF0dXJl',
      }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().min(0).max(900).meta({
      description: 'Lifetime in seconds. Use `POST /auth/refresh` to get the next token.',
      example: 900,
    }),
  })
  .meta({ id: 'Access' });
const signedInSchema = accessSchema.extend({ account: accountResponse }).meta({ id: 'SignedIn' });
const registeredSchema = signedInSchema.extend({ apiKey }).meta({ id: 'Registered' });

const REGISTRATION_MESSAGE = 'An e-mail with a link to finish the registration is on its way.';

const COOKIES = {
  'Set-Cookie': setCookie(
    'Session cookie for 30 days and trusted-device cookie for 365 days: HttpOnly, SameSite=Strict and, over ' +
      'HTTPS, Secure.',
  ),
};

/**
 * Returns the route. This is a function because the route's documentation contains the minimum password length, which
 * the operator sets.
 */
export function registerRoute(minPasswordCharacters: number): Route {
  return route('POST /auth/register', {
    auth: 'none',
    summary: 'Register and get an API key',
    description:
      'The API key is shown in this response only; the service stores only its hash. The response also signs you ' +
      'in. A link to verify the address is sent by e-mail. Services with `REGISTRATION=verified` return 202 ' +
      'instead and send a link that creates the account. That response is the same if the address already has an ' +
      'account. Limits: 100 registrations per hour and client IP address; five e-mails per half hour and e-mail ' +
      'address.',
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
    summary: 'Complete a registration with a link',
    description:
      'For services with `REGISTRATION=verified`. Creates the account that was requested with `POST ' +
      '/auth/register`, with a verified address. The link works once, for 24 hours. An unknown or expired token ' +
      'gets `invalid_request`; a used one gets `email_taken`.',
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
      'Other sessions stay active. If the account already has 100 active sessions, the response is ' +
      '`session_limit`, unless `endOldest` is true. Limits for wrong passwords: 10 per 15 minutes and 100 per ' +
      'day for one e-mail address, including wrong values of `currentPassword` in other routes, and 50 per 5 ' +
      'minutes for one client IP address. A browser that signed in before sends a trusted-device cookie and has ' +
      'its own limit. Limits for successful sign-ins: 200 per 15 minutes and 2,000 per day for one account, and ' +
      '300 per 15 minutes for one client IP address. Keep the session and renew its access token (`POST ' +
      '/auth/refresh`) instead of signing in for each request.',
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
      'A session ends 7 days after its last use, and at most 30 days after sign-in. Only pages of this service ' +
      'can use this route: `Origin` must be its origin, or `Sec-Fetch-Site` must be `same-origin`.',
    body: nothing,
    responses: { 200: { description: 'An access token', schema: accessSchema } },
    handle: ({ caller }, { sessions }) => json(200, presentAccess(sessions.refresh(caller)), NO_STORE),
  }),
  route('POST /auth/logout', {
    auth: 'bearer-or-cookie',
    summary: 'Sign out',
    description:
      'Ends this session. Requests that use the cookie must come from pages of this service and have a JSON body ' +
      '(`{}`), as for `POST /auth/refresh`. The response is the same if the session has already ended.',
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
