// POST /auth/regenerate-key, /change-password: replacement of the API key and of the password.
import { z } from 'zod';
import type { Credentials } from '../../../services/accounts/credentials.js';
import type { BrowserCookies } from '../../auth/cookies.js';
import { setCookie } from '../../openapi/headers.js';
import { json, noContent, NO_STORE } from '../../response/reply.js';
import { bearerRoute, type Route } from '../../route.js';
import { apiKey, keySchema, PASSWORD_ERRORS, presentKey } from './schemas.js';
import { confirmation, newPasswordField } from './fields.js';

const newKeySchema = z.object({ apiKey, key: keySchema }).meta({ id: 'NewKey' });

interface Options {
  readonly credentials: Credentials;
  readonly cookies: BrowserCookies;
  readonly minPasswordCharacters: number;
}

export function credentialRoutes(options: Options): Route[] {
  return [regenerateKeyRoute(options), changePasswordRoute(options)];
}

function regenerateKeyRoute({ credentials }: Options): Route {
  return bearerRoute({
    method: 'POST',
    path: '/auth/regenerate-key',
    tag: 'Account',
    summary: 'Replace the API key',
    description:
      "The new key is shown in this response only, and the old one is rejected from then on. Today's usage " +
      'stays. Of several requests at once each gets a key, and the last one is valid.',
    body: confirmation,
    responses: { 200: { description: 'The new key', schema: newKeySchema } },
    errors: PASSWORD_ERRORS,
    handle: async ({ body, caller, client }) => {
      const { raw, key } = await credentials.regenerateKey({ ...body, caller, client });
      return json(200, { apiKey: raw, key: presentKey(key) }, NO_STORE);
    },
  });
}

function changePasswordRoute({ credentials, cookies, minPasswordCharacters }: Options): Route {
  return bearerRoute({
    method: 'POST',
    path: '/auth/change-password',
    tag: 'Account',
    summary: 'Change the password',
    description: 'Ends all other sessions.',
    body: confirmation.extend({ newPassword: newPasswordField(minPasswordCharacters) }),
    responses: {
      204: {
        description: 'The new password is set',
        headers: {
          'Set-Cookie': setCookie('A new trusted-device cookie; those of other browsers are no longer valid.'),
        },
      },
    },
    errors: PASSWORD_ERRORS,
    handle: async ({ body: { currentPassword, newPassword }, caller, client }) => {
      const deviceToken = await credentials.changePassword({ currentPassword, caller, client }, newPassword);
      return noContent(cookies.knownDevice(deviceToken));
    },
  });
}
