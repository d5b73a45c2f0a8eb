// POST /auth/change-email, /confirm-email: change of the account's e-mail address.
import { z } from 'zod';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { CHANGE_ERRORS, acceptedDoc, PASSWORD_ERRORS } from './schemas.routes.js';
import { confirmation, email, linkTokenField } from './fields.routes.js';

const MESSAGE = 'A mail is on its way to the new address; the change is made when its link is confirmed.';

export const emailChangeRoutes: readonly Route[] = [
  route('POST /auth/change-email', {
    auth: 'bearer',
    summary: 'Request another e-mail address',
    description:
      'Mails a link to the new address and tells the old one. The response is the same whether or not another account has ' +
      'the new address; its owner gets a mail without a link. A newer request replaces the link; a change or reset of the ' +
      'password cancels it. At most five requests in half an hour of one account, and to one address.',
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
    summary: 'Change the e-mail address with a link',
    description:
      'The link works once, for 24 hours; a token that is unknown, used, replaced or expired is `invalid_request`. Sessions ' +
      'and keys stay valid, links that were mailed to the old address do not.',
    body: z.strictObject({ token: linkTokenField }),
    responses: { 204: { description: 'The address is changed, and verified' } },
    errors: ['email_taken', 'account_suspended', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ body: { token }, client }, { emailChange }) => {
      await emailChange.confirm(token, client);
      return noContent();
    },
  }),
];
