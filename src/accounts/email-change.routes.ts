// POST /auth/change-email, /confirm-email: change of the account's e-mail address.
import { z } from 'zod';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { CHANGE_ERRORS, acceptedDoc, PASSWORD_ERRORS } from './schemas.routes.js';
import { confirmation, email, linkTokenField } from './fields.routes.js';

const MESSAGE = 'An e-mail is on its way to the new address. The address changes when its link is confirmed.';

export const emailChangeRoutes: readonly Route[] = [
  route('POST /auth/change-email', {
    auth: 'bearer',
    summary: 'Request a change of the e-mail address',
    description:
      'Sends a link to the new address and notifies the old one. The response is the same if another account ' +
      'uses the new address; its owner then gets an e-mail without a link. A newer request replaces the link, ' +
      'and changing or resetting the password cancels the change. Limit: five requests per half hour, per account and ' +
      'per new address.',
    body: confirmation.extend({ newEmail: email }),
    responses: { 202: acceptedDoc(MESSAGE) },
    errors: PASSWORD_ERRORS,
    handle: async ({ body: { currentPassword, newEmail }, caller, client }, { emailChange }) => {
      await emailChange.request({ currentPassword, caller, client }, newEmail);
      return json(202, { message: MESSAGE }, NO_STORE);
    },
  }),
  route('POST /auth/confirm-email', {
    auth: 'none',
    summary: 'Confirm a new e-mail address with a link',
    description:
      'The link works once, for 24 hours. A token that is unknown, used, replaced or expired gets ' +
      '`invalid_request`. Sessions and keys stay valid. Links that were sent to the old address become invalid.',
    body: z.strictObject({ token: linkTokenField }),
    responses: { 204: { description: 'The address is changed and verified' } },
    errors: ['email_taken', 'account_suspended', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ body: { token }, client }, { emailChange }) => {
      await emailChange.confirm(token, client);
      return noContent();
    },
  }),
];
