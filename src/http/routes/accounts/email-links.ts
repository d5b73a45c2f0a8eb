// POST /auth/forgot-password, /reset-password, /verify-email, /resend-verification: what mails are for.
import { z } from 'zod';
import type { AccountKey } from '../../../domain/account/account.js';
import type { EmailLinks } from '../../../services/accounts/email-links.js';
import type { BrowserCookies } from '../../auth/cookies.js';
import { json, noContent, NO_STORE, type HeaderFields } from '../../response/reply.js';
import { bearerRoute, publicRoute, type Route } from '../../route.js';
import { CHANGE_ERRORS, messageSchema } from './schemas.js';
import { email, linkToken, newPasswordField, nothing } from './fields.js';

const RESET_MESSAGE = 'If there is an account with this e-mail address, a mail with a link is on its way.';
const VERIFICATION_MESSAGE = 'A mail with a link is on its way, unless the address is verified already.';

const KEY_FIELDS = {
  'X-Blazon-Key-Hint':
    'The last four characters of the API key that goes on working; none when the account has no key.',
  'X-Blazon-Key-Created-At': 'When that key was made (RFC 3339).',
} as const satisfies HeaderFields;

function keyFields({ hint, createdAt }: AccountKey): Record<keyof typeof KEY_FIELDS, string> {
  return { 'X-Blazon-Key-Hint': hint, 'X-Blazon-Key-Created-At': createdAt.toISOString() };
}

interface Options {
  readonly links: EmailLinks;
  readonly cookies: BrowserCookies;
  readonly minPasswordCharacters: number;
}

export function linkRoutes({ links, cookies, minPasswordCharacters }: Options): Route[] {
  return [
    publicRoute({
      method: 'POST',
      path: '/auth/forgot-password',
      tag: 'Account',
      summary: 'Ask for a link to set another password',
      description:
        'The answer is the same whether or not there is such an account. At most five mails in half an hour to one address; a link that is new stays good when another mail is asked for.',
      body: z.strictObject({ email }),
      responses: { 202: { description: 'Understood', schema: messageSchema, example: { message: RESET_MESSAGE } } },
      errors: ['busy'],
      handle: async ({ body, client }) => {
        await links.forgotPassword(body.email, client);
        return json(202, { message: RESET_MESSAGE }, NO_STORE);
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/auth/reset-password',
      tag: 'Account',
      summary: 'Set another password with a link',
      description:
        'The link works once, for 30 minutes. Ends all sessions. The API key goes on working, so that nothing which uses it stops. Whoever registered with your address before you may have it: the header fields, and the mail about the change, say which key it is. Replace it (`/auth/regenerate-key`) if you do not know it.',
      body: z.strictObject({ token: linkToken, newPassword: newPasswordField(minPasswordCharacters) }),
      responses: {
        204: {
          description: 'From now on the new one holds',
          headers: {
            ...KEY_FIELDS,
            'Set-Cookie': 'The device: this browser can sign in even while strangers try passwords.',
          },
        },
      },
      errors: ['rate_limited', ...CHANGE_ERRORS],
      handle: async ({ body: { token, newPassword }, client }) => {
        const { key, deviceToken } = await links.resetPassword(token, newPassword, client);
        return noContent(cookies.knownDevice(deviceToken), ...(key ? [keyFields(key)] : []));
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/auth/verify-email',
      tag: 'Account',
      summary: 'Verify the e-mail address with a link',
      description: 'The link works once, for three days.',
      body: z.strictObject({ token: linkToken }),
      responses: { 204: { description: 'The address is verified' } },
      errors: ['rate_limited', ...CHANGE_ERRORS],
      handle: async ({ body: { token }, client }) => {
        await links.verifyEmail(token, client);
        return noContent();
      },
    }),
    bearerRoute({
      method: 'POST',
      path: '/auth/resend-verification',
      tag: 'Account',
      summary: 'Ask for another link to verify the e-mail address',
      description: 'At most five mails in half an hour to one address.',
      body: nothing,
      responses: {
        202: { description: 'Understood', schema: messageSchema, example: { message: VERIFICATION_MESSAGE } },
      },
      errors: ['rate_limited', ...CHANGE_ERRORS],
      handle: async ({ caller, client }) => {
        await links.resendVerification(caller, client);
        return json(202, { message: VERIFICATION_MESSAGE }, NO_STORE);
      },
    }),
  ];
}
