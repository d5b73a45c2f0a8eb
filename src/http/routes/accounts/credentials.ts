// POST /auth/regenerate-key, /change-password: a new one in the place of the old one.
import { z } from 'zod';
import type { Credentials } from '../../../services/accounts/credentials.js';
import type { BrowserCookies } from '../../auth/cookies.js';
import { json, noContent, NO_STORE } from '../../response/reply.js';
import { bearerRoute, type Route } from '../../route.js';
import { keySchema, PASSWORD_ERRORS, presentKey } from './schemas.js';
import { confirmation, newPasswordField } from './fields.js';

const newKeySchema = z
  .object({ apiKey: z.string().meta({ example: 'blz_7hGk2LmNp4Qr…9fK2' }), key: keySchema })
  .meta({ id: 'NewKey' });

interface Options {
  readonly credentials: Credentials;
  readonly cookies: BrowserCookies;
  readonly minPasswordCharacters: number;
}

export function credentialRoutes({ credentials, cookies, minPasswordCharacters }: Options): Route[] {
  return [
    bearerRoute({
      method: 'POST',
      path: '/auth/regenerate-key',
      tag: 'Account',
      summary: 'Replace the API key',
      description:
        'The new key is shown in this answer only, and the old one has stopped working when it comes. What was used today stays counted. Of several at once each gets a key, and the last of them is the one that works.',
      body: confirmation,
      responses: { 200: { description: 'The new key', schema: newKeySchema } },
      errors: PASSWORD_ERRORS,
      handle: async ({ body, caller, client }) => {
        const { raw, key } = await credentials.regenerateKey({ ...body, caller, client });
        return json(200, { apiKey: raw, key: presentKey(key) }, NO_STORE);
      },
    }),
    bearerRoute({
      method: 'POST',
      path: '/auth/change-password',
      tag: 'Account',
      summary: 'Set another password',
      description: 'Ends all other sessions; this one goes on.',
      body: confirmation.extend({ newPassword: newPasswordField(minPasswordCharacters) }),
      responses: {
        204: {
          description: 'From now on the new one holds',
          headers: { 'Set-Cookie': 'The device anew: other devices are no longer known.' },
        },
      },
      errors: PASSWORD_ERRORS,
      handle: async ({ body: { currentPassword, newPassword }, caller, client }) => {
        const deviceToken = await credentials.changePassword({ currentPassword, caller, client }, newPassword);
        return noContent(cookies.knownDevice(deviceToken));
      },
    }),
  ];
}
