// POST /auth/regenerate-key, /change-password: replace the API key or the password.
import { z } from 'zod';
import { setCookie } from '../platform/http/openapi/headers.js';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { apiKey, keySchema, PASSWORD_ERRORS, presentKey } from './schemas.routes.js';
import { confirmation, newPasswordField } from './fields.routes.js';

const newKeySchema = z.object({ apiKey, key: keySchema }).meta({ id: 'NewKey' });

export function changePasswordRoute(minPasswordCharacters: number): Route {
  return route('POST /auth/change-password', {
    auth: 'bearer',
    summary: 'Change the password',
    description: 'Ends all other sessions. The API key stays valid.',
    body: confirmation.extend({ newPassword: newPasswordField(minPasswordCharacters) }),
    responses: {
      204: {
        description: 'The new password is set',
        headers: {
          'Set-Cookie': setCookie(
            'A new trusted-device cookie. Trusted-device cookies of other browsers become invalid.',
          ),
        },
      },
    },
    errors: PASSWORD_ERRORS,
    handle: async ({ body: { currentPassword, newPassword }, caller, client }, { credentials, cookies }) => {
      const deviceToken = await credentials.changePassword({ currentPassword, caller, client }, newPassword);
      return noContent(cookies.knownDevice(deviceToken));
    },
  });
}

export const regenerateKeyRoute = route('POST /auth/regenerate-key', {
  auth: 'bearer',
  summary: 'Replace the API key',
  description:
    "The new key is shown in this response only. The old key stops working immediately. Today's usage is kept. " +
    'If several requests run at once, each gets a key, and only the last one is valid.',
  body: confirmation,
  responses: { 200: { description: 'The new key', schema: newKeySchema } },
  errors: PASSWORD_ERRORS,
  handle: async ({ body, caller, client }, { credentials }) => {
    const { raw, key } = await credentials.regenerateKey({ ...body, caller, client });
    return json(200, { apiKey: raw, key: presentKey(key) }, NO_STORE);
  },
});
