// POST /auth/forgot-password, /reset-password, /verify-email, /resend-verification: request and use mailed links.
import { z } from 'zod';
import type { AccountKey } from './account.js';
import { setCookie } from '../platform/http/openapi/headers.js';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { moment } from '../platform/http/openapi/times-and-counts.js';
import { CHANGE_ERRORS, keyHint, acceptedDoc } from './schemas.routes.js';
import { email, linkTokenField, newPasswordField, nothing } from './fields.routes.js';

const RESET_MESSAGE = 'If an account has this e-mail address, an e-mail with a link is on its way.';
const VERIFICATION_MESSAGE = 'An e-mail with a link is on its way, unless the address is already verified.';

const KEY_HEADERS = {
  'X-Blazon-Key-Hint': keyHint.optional().meta({
    description: 'The last four characters of the API key, which is still valid. Absent if the account has no key.',
  }),
  'X-Blazon-Key-Created-At': moment.optional().meta({ description: 'When that key was created.' }),
} as const;

function keyHeaders({ hint, createdAt }: AccountKey): Record<keyof typeof KEY_HEADERS, string> {
  return { 'X-Blazon-Key-Hint': hint, 'X-Blazon-Key-Created-At': createdAt.toISOString() };
}

export function resetPasswordRoute(minPasswordCharacters: number): Route {
  return route('POST /auth/reset-password', {
    auth: 'none',
    summary: 'Reset the password with a link',
    description:
      'The link works once, for 30 minutes. A token that is unknown, used or expired gets `invalid_request`. The ' +
      'reset ends all sessions, but the API key stays valid so that integrations keep working. If someone else ' +
      'registered with your address before, they may have this key: the response headers and the e-mail about ' +
      'the reset identify it. If you do not recognize the key, replace it (`POST /auth/regenerate-key`).',
    body: z.strictObject({ token: linkTokenField, newPassword: newPasswordField(minPasswordCharacters) }),
    responses: {
      204: {
        description: 'The new password is set',
        headers: {
          ...KEY_HEADERS,
          'Set-Cookie': setCookie(
            'Trusted-device cookie: this browser can still sign in while wrong passwords from other browsers are ' +
              'being throttled.',
          ),
        },
      },
    },
    errors: ['rate_limited', ...CHANGE_ERRORS],
    handle: async ({ body: { token, newPassword }, client }, { links, cookies }) => {
      const { key, deviceToken } = await links.resetPassword(token, newPassword, client);
      return noContent(cookies.knownDevice(deviceToken), ...(key ? [keyHeaders(key)] : []));
    },
  });
}

export const forgotPasswordRoute = route('POST /auth/forgot-password', {
  auth: 'none',
  summary: 'Request a password reset link',
  description:
    'The response is the same whether or not the account exists. At most five e-mails per half hour are sent to ' +
    'one address. Requesting another e-mail does not invalidate recent links.',
  body: z.strictObject({ email }),
  responses: { 202: acceptedDoc(RESET_MESSAGE) },
  errors: ['busy'],
  handle: async ({ body, client }, { links }) => {
    await links.forgotPassword(body.email, client);
    return json(202, { message: RESET_MESSAGE }, NO_STORE);
  },
});

export const verificationRoutes: readonly Route[] = [
  route('POST /auth/verify-email', {
    auth: 'none',
    summary: 'Verify the e-mail address with a link',
    description:
      'The link works once, for three days. A token that is unknown, used or expired gets `invalid_request`.',
    body: z.strictObject({ token: linkTokenField }),
    responses: { 204: { description: 'The address is verified' } },
    errors: ['rate_limited', ...CHANGE_ERRORS],
    handle: async ({ body: { token }, client }, { links }) => {
      await links.verifyEmail(token, client);
      return noContent();
    },
  }),
  route('POST /auth/resend-verification', {
    auth: 'bearer',
    summary: 'Request another verification link',
    description: 'At most five e-mails per half hour are sent to one address.',
    body: nothing,
    responses: { 202: acceptedDoc(VERIFICATION_MESSAGE) },
    errors: ['rate_limited', ...CHANGE_ERRORS],
    handle: async ({ caller, client }, { links }) => {
      await links.resendVerification(caller, client);
      return json(202, { message: VERIFICATION_MESSAGE }, NO_STORE);
    },
  }),
];
