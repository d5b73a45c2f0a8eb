// GET /dashboard/email-change: the pending change of the e-mail address, for the dashboard's account page.
import { z } from 'zod';
import { storedEmail } from './email.js';
import { linkTimeLeft } from './email-link.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import { route } from '../platform/http/route.js';

export const pendingEmailRoute = route('GET /dashboard/email-change', {
  auth: 'bearer',
  hidden: true,
  throttled: true,
  summary: 'New address of a pending change',
  responses: { 200: { description: 'The address', schema: z.object({ newEmail: storedEmail().nullable() }) } },
  handle({ caller: { account } }, { now }) {
    const at = new Date(now());
    const link = account.links.find((each) => each.newEmail !== undefined && linkTimeLeft(each, at) > 0);
    return json(200, { newEmail: link?.newEmail ?? null }, NO_STORE);
  },
});
