// /auth/alerts/unsubscribe, the link at the end of an alert: one click ends the mails (RFC 8058).
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ACCOUNT_TOKEN_PATTERN, accountOfToken } from '../accounts/account-token.js';
import { SYSTEM } from '../accounts/audit-event.js';
import { CHANGE_ERRORS } from '../accounts/schemas.routes.js';
import { ignoring, invalidField } from '../platform/errors.js';
import { content, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { pageHeaders } from '../platform/http/pages/page-files.js';
import { patternParameter } from '../platform/web/query-parameter.js';
import { setQuotaAlerts, UNSUBSCRIBE } from './quota-alerts.js';

const unsubscribeQuery = z.strictObject({
  token: patternParameter(ACCOUNT_TOKEN_PATTERN, {
    description: 'Token of the link in the mail.',
    allowed: 'the token of an unsubscribe link',
    example: '7hGk2LmNp4Qrp3VnX0wQ7sLk2RtYw1pQf0aJ7mXcT4uVbN8sKdE2gHy',
  }),
});

const SCRIPT = `const button = document.querySelector('button');
button.onclick = async () => {
  button.disabled = true;
  const { ok } = await fetch(location.href, { method: 'POST' }).catch(() => ({ ok: false }));
  document.querySelector('p').textContent = ok
    ? 'You get no more mails about quotas. You can switch them on again in your account.'
    : 'This did not work. Try again later, or switch the mails off in your account.';
  button.hidden = ok;
  button.disabled = false;
};`;
const STYLE =
  'body{font:18px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1rem}';
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mails about quotas</title>
<style>${STYLE}</style>
<h1>Mails about quotas</h1>
<p role="status">Your account gets a mail when a quota is nearly used up. Stop these mails?</p>
<button type="button">Stop these mails</button>
<script>${SCRIPT}</script>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** Browsers send no referrer, because the token in the URL must not get into the logs of other sites. */
const PAGE_HEADERS = {
  ...pageHeaders(`script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; connect-src 'self'`),
  ...NO_STORE,
  'Referrer-Policy': 'no-referrer',
};

export const unsubscribeRoutes: readonly Route[] = [
  route(`POST ${UNSUBSCRIBE.path}`, {
    auth: 'none',
    summary: 'Stop mails about quotas with the link of a mail',
    description:
      'For mail clients (`List-Unsubscribe-Post`, RFC 8058), with the token of the mail. A body of any type is accepted and ignored.',
    query: unsubscribeQuery,
    takesToken: true,
    ignoresBody: true,
    responses: { 204: { description: 'The account gets no more mails about quotas' } },
    errors: [...CHANGE_ERRORS, 'payload_too_large'],
    handle: async ({ query: { token = '' } }, { actors, accountContext: { linkSecrets } }) => {
      const id = accountOfToken(token, UNSUBSCRIBE.purpose, linkSecrets);
      if (!id)
        throw invalidField(
          'token',
          token === '' ? 'is missing' : 'not the token of an unsubscribe link',
          'the token of an unsubscribe link',
        );
      // A deleted account gets no mails, so the request succeeds without a change.
      await actors.run(id, SYSTEM, (account) => setQuotaAlerts(account, false)).catch(ignoring('not_found'));
      return noContent();
    },
  }),
  route(`GET ${UNSUBSCRIBE.path}`, {
    auth: 'none',
    hidden: true,
    page: true,
    takesToken: true,
    summary: 'The page to which the link of a mail leads',
    responses: { 200: { description: 'A page', media: 'text/html' } },
    // Programs that open each link of a mail must not stop the mails, so a person presses a button.
    handle: () => content(PAGE, PAGE_HEADERS),
  }),
];
