// /auth/sessions and /auth/logout-all: where an account is signed in.
import { z } from 'zod';
import type { SessionId } from '../../../domain/account/session.js';
import { AppError } from '../../../errors.js';
import type { Credentials } from '../../../services/accounts/credentials.js';
import type { Sessions } from '../../../services/accounts/sessions.js';
import type { BrowserCookies } from '../../auth/cookies.js';
import { json, noContent, NO_STORE } from '../../response/reply.js';
import { bearerRoute, type Route } from '../../route.js';
import { CHANGE_ERRORS, PASSWORD_ERRORS, presentSession, sessionSchema } from './schemas.js';
import { confirmation, text } from './fields.js';

const sessionId = text
  .max(64, { error: 'too long' })
  .transform((id) => id as SessionId)
  .meta({ description: 'Of the list of sessions.', allowed: 'the id of a session', example: 'p3VnX0wQ7sLk2RtY' });

interface Options {
  readonly sessions: Sessions;
  readonly credentials: Credentials;
  readonly cookies: BrowserCookies;
}

export function sessionRoutes({ sessions, credentials, cookies }: Options): Route[] {
  return [
    bearerRoute({
      method: 'GET',
      path: '/auth/sessions',
      tag: 'Account',
      summary: 'Where the account is signed in',
      description: 'The newest first.',
      responses: { 200: { description: 'All live sessions', schema: z.object({ sessions: z.array(sessionSchema) }) } },
      errors: [],
      handle: ({ caller }) => json(200, { sessions: sessions.list(caller).map(presentSession) }, NO_STORE),
    }),
    bearerRoute({
      method: 'DELETE',
      path: '/auth/sessions/{id}',
      tag: 'Account',
      summary: 'End one session',
      description: 'Its access tokens stop working at once.',
      params: z.strictObject({ id: sessionId }),
      responses: { 204: { description: 'It has ended' } },
      errors: ['not_found', ...CHANGE_ERRORS],
      handle: async ({ params: { id }, caller, client }) => {
        if (!(await sessions.end(caller, id, client))) throw new AppError('not_found', 'There is no such session.');
        return id === caller.session.id ? noContent(cookies.signedOut) : noContent();
      },
    }),
    bearerRoute({
      method: 'POST',
      path: '/auth/logout-all',
      tag: 'Account',
      summary: 'Sign out everywhere',
      description: 'Ends all sessions, this one too.',
      body: confirmation,
      responses: {
        200: {
          description: 'How many have ended',
          schema: z.object({ endedSessions: z.int().meta({ example: 3 }) }),
          headers: { 'Set-Cookie': 'Takes the session cookie away.' },
        },
      },
      errors: PASSWORD_ERRORS,
      handle: async ({ body, caller, client }) =>
        json(
          200,
          { endedSessions: await credentials.endAllSessions({ ...body, caller, client }) },
          NO_STORE,
          cookies.signedOut,
        ),
    }),
  ];
}
