// POST /auth/register, /login, /refresh, /logout: how a session begins, goes on and ends.
import { z } from 'zod';
import type { Registration } from '../../../services/accounts/registration.js';
import type { IssuedToken, Sessions } from '../../../services/accounts/sessions.js';
import type { SignInService } from '../../../services/accounts/sign-in.js';
import type { BrowserCookies } from '../../auth/cookies.js';
import { json, noContent, NO_STORE } from '../../response/reply.js';
import { cookieRoute, publicRoute, signOutRoute, type Route } from '../../route.js';
import { accountSchema, CHANGE_ERRORS, PASSWORD_ERRORS, presentAccount } from './schemas.js';
import { currentPassword, email, newPasswordField, nothing } from './fields.js';

const accessSchema = z
  .object({
    accessToken: z.string().meta({
      description: 'For `Authorization: Bearer`.',
      example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjVmMmMifQ.e30.c2lnbmF0dXJl',
    }),
    tokenType: z.literal('Bearer'),
    expiresIn: z
      .int()
      .meta({ description: 'Seconds, at most 900; then `POST /auth/refresh` gives another.', example: 900 }),
  })
  .meta({ id: 'Access' });
const signedInSchema = accessSchema.extend({ account: accountSchema }).meta({ id: 'SignedIn' });
const registeredSchema = signedInSchema
  .extend({ apiKey: z.string().meta({ example: 'blz_7hGk2LmNp4Qr…9fK2' }) })
  .meta({ id: 'Registered' });

const COOKIES = {
  'Set-Cookie': 'The session, for 30 days, and the device, for 365: HttpOnly, SameSite=Strict and, over https, Secure.',
};

interface Options {
  readonly registration: Registration;
  readonly signIn: SignInService;
  readonly sessions: Sessions;
  readonly cookies: BrowserCookies;
  readonly minPasswordCharacters: number;
}

export function signInRoutes({ registration, signIn, sessions, cookies, minPasswordCharacters }: Options): Route[] {
  return [
    publicRoute({
      method: 'POST',
      path: '/auth/register',
      tag: 'Account',
      summary: 'Register and get an API key',
      description:
        'The key is shown in this answer only; it is stored as a hash. You are signed in at once, and get a mail that asks to verify the address. At most 100 registrations an hour from one address.',
      body: z.strictObject({ email, password: newPasswordField(minPasswordCharacters) }),
      responses: {
        201: {
          description: 'The new account, its key, and an access token',
          schema: registeredSchema,
          headers: COOKIES,
        },
      },
      errors: ['forbidden', 'email_taken', 'rate_limited', 'busy'],
      handle: async ({ body, client }) => {
        const registered = await registration.register({ ...body, client });
        const { account, access, apiKey } = registered;
        return json(
          201,
          { account: presentAccount(account), apiKey, ...presentAccess(access) },
          NO_STORE,
          ...cookies.signedIn(registered),
        );
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/auth/login',
      tag: 'Account',
      summary: 'Sign in',
      description:
        'Other sessions go on; of more than 20 the oldest ends. Ten wrong passwords in 15 minutes (a hundred a day) are borne per e-mail address, 50 in 5 minutes per client address; a browser that signed in before is counted for itself. Right ones are limited too: 100 sign-ins in 15 minutes (2,000 a day) per account, 300 in 15 minutes per client address. Keep the session and renew its access token (`POST /auth/refresh`) instead of signing in for each request.',
      body: z.strictObject({ email, password: currentPassword }),
      responses: { 200: { description: 'The account and an access token', schema: signedInSchema, headers: COOKIES } },
      errors: ['account_suspended', ...PASSWORD_ERRORS],
      handle: async ({ body, client }) => {
        const signedIn = await signIn.signIn({ ...body, client });
        return json(
          200,
          { account: presentAccount(signedIn.account), ...presentAccess(signedIn.access) },
          NO_STORE,
          ...cookies.signedIn(signedIn),
        );
      },
    }),
    cookieRoute({
      method: 'POST',
      path: '/auth/refresh',
      tag: 'Account',
      summary: 'Get another access token',
      description:
        'A session ends 7 days after its last use, and 30 days after sign-in. Only pages of this service may ask: `Origin` must be its address, or `Sec-Fetch-Site` must be `same-origin`.',
      body: nothing,
      responses: { 200: { description: 'An access token', schema: accessSchema } },
      errors: [],
      handle: ({ caller }) => json(200, presentAccess(sessions.refresh(caller)), NO_STORE),
    }),
    signOutRoute({
      method: 'POST',
      path: '/auth/logout',
      tag: 'Account',
      summary: 'Sign out',
      description:
        'Ends this session. With the cookie: as for `POST /auth/refresh`, only from pages of this service; and if its session has ended already, the answer is the same.',
      body: nothing,
      responses: {
        204: { description: 'The session has ended', headers: { 'Set-Cookie': 'Takes the session cookie away.' } },
      },
      errors: CHANGE_ERRORS,
      handle: async ({ caller, client }) => {
        if (caller) await sessions.end(caller, caller.session.id, client);
        return noContent(cookies.signedOut);
      },
    }),
  ];
}

function presentAccess({ token, expiresInSeconds }: IssuedToken): z.input<typeof accessSchema> {
  return { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds };
}
