// POST /auth/forgot-password, /reset-password, /verify-email, /resend-verification: links sent by mail.
import { z } from 'zod';
import type { AccountKey } from './account.js';
import { setCookie } from '../platform/http/openapi/headers.js';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { moment } from '../platform/http/openapi/times-and-counts.js';
import { CHANGE_ERRORS, keyHint, acceptedDoc } from './schemas.routes.js';
import { email, linkTokenField, newPasswordField, nothing } from './fields.routes.js';

const RESET_MESSAGE = 'If there is an account with this e-mail address, a mail with a link is on its way.';
const VERIFICATION_MESSAGE = 'A mail with a link is on its way, unless the address is verified already.';

const KEY_HEADERS = {
  'X-Blazon-Key-Hint': keyHint.optional().meta({
    description: 'The last four characters of the API key, which stays valid. Absent if the account has no key.',
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
      'The link works once, for 30 minutes; a token that is unknown, used or expired is `invalid_request`. ' +
      'Ends all sessions. The API key stays valid, so that nothing which uses it stops. Whoever registered ' +
      'with your address before you may have it: the headers, and the mail about the change, identify the key. ' +
      'Replace it (`POST /auth/regenerate-key`) if you do not recognize it.',
    body: z.strictObject({ token: linkTokenField, newPassword: newPasswordField(minPasswordCharacters) }),
    responses: {
      204: {
        description: 'The new password is set',
        headers: {
          ...KEY_HEADERS,
          'Set-Cookie': setCookie(
            'Trusted-device cookie: this browser can sign in even while others exhaust the limit for wrong passwords.',
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
  summary: 'Request a link to reset the password',
  description:
    'The response is the same whether or not there is such an account. At most five mails in half an hour to ' +
    'one address; a recent link stays valid when another mail is requested.',
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
    description: 'The link works once, for three days; a token that is unknown, used or expired is `invalid_request`.',
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
    summary: 'Request another link to verify the e-mail address',
    description: 'At most five mails in half an hour to one address.',
    body: nothing,
    responses: { 202: acceptedDoc(VERIFICATION_MESSAGE) },
    errors: ['rate_limited', ...CHANGE_ERRORS],
    handle: async ({ caller, client }, { links }) => {
      await links.resendVerification(caller, client);
      return json(202, { message: VERIFICATION_MESSAGE }, NO_STORE);
    },
  }),
];
