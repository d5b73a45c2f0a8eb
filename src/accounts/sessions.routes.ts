// GET /auth/sessions, DELETE /auth/sessions/{id}, POST /auth/logout-all: the sessions of an account.
import { z } from 'zod';
import { MAX_SESSIONS, SESSION_ID_PATTERN, type SessionId } from './session.js';
import { AppError } from '../platform/errors.js';
import { setCookie } from '../platform/http/openapi/headers.js';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { CHANGE_ERRORS, PASSWORD_ERRORS, presentSession, sessionResponse } from './schemas.routes.js';
import { confirmation, text } from './fields.routes.js';

const sessionId = text
  .max(64, { error: 'too long' })
  .transform((id) => id as SessionId)
  .meta({
    description: '`id` of a session, as listed.',
    allowed: 'the id of a session',
    example: 'p3VnX0wQ7sLk2RtY',
    override: { pattern: SESSION_ID_PATTERN.source },
  });

export const sessionRoutes: readonly Route[] = [
  route('GET /auth/sessions', {
    auth: 'bearer',
    summary: 'List sessions',
    description: 'Newest first.',
    responses: {
      200: {
        description: 'All active sessions',
        schema: z.object({
          sessions: z
            .array(sessionResponse)
            .max(MAX_SESSIONS)
            .meta({ description: 'Active sessions, including the current one.' }),
        }),
      },
    },
    handle: ({ caller }, { sessions }) => json(200, { sessions: sessions.list(caller).map(presentSession) }, NO_STORE),
  }),
  route('DELETE /auth/sessions/{id}', {
    auth: 'bearer',
    summary: 'End one session',
    description: 'The access tokens of the session stop working immediately.',
    params: z.strictObject({ id: sessionId }),
    responses: {
      204: {
        description: 'The session has ended',
        headers: {
          'Set-Cookie': setCookie('Deletes the session cookie if the session of this request was ended.').optional(),
        },
      },
    },
    errors: ['not_found', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, caller, client }, { sessions, cookies }) => {
      if (!(await sessions.end(caller, id, client))) throw new AppError('not_found', 'There is no such session.');
      return id === caller.session.id ? noContent(cookies.signedOut) : noContent();
    },
  }),
  route('POST /auth/logout-all', {
    auth: 'bearer',
    summary: 'Sign out everywhere',
    description: 'Ends all sessions, including this one.',
    body: confirmation,
    responses: {
      200: {
        description: 'Number of ended sessions',
        schema: z.object({
          endedSessions: z
            .int()
            .min(0)
            .max(MAX_SESSIONS)
            .meta({ description: 'Number of ended sessions.', example: 3 }),
        }),
        headers: { 'Set-Cookie': setCookie('Deletes the session cookie.') },
      },
    },
    errors: PASSWORD_ERRORS,
    handle: async ({ body, caller, client }, { credentials, cookies }) =>
      json(
        200,
        { endedSessions: await credentials.endAllSessions({ ...body, caller, client }) },
        NO_STORE,
        cookies.signedOut,
      ),
  }),
];
