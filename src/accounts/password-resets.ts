// Password resets: a request is stored before the response. The link is mailed after the response.
import { randomUUID } from 'node:crypto';
import { sendLink } from './changes/email-links.js';
import type { AuditActor } from './audit-event.js';
import { LINK_LIFETIME_MS } from './email-link.js';
import { SECOND_MS } from '../platform/time.js';
import { AppError, ignoring } from '../platform/errors.js';
import type { PasswordResetRequest } from './password-reset-requests.js';
import { forEachDue } from '../platform/jobs/for-each-due.js';
import type { AccountContext } from './context.js';

/**
 * Minimum age in ms of the requests that a job handles. The process that stored a younger request is probably still
 * handling it.
 */
const LEFT_BEHIND_MS = 10 * SECOND_MS;

export type PasswordResets = ReturnType<typeof createPasswordResets>;

export function createPasswordResets({
  resetRequests: requests,
  accounts,
  actors,
  background,
  now,
}: Pick<AccountContext, 'resetRequests' | 'accounts' | 'actors' | 'background' | 'now'>) {
  async function carryOut({ id, identity, by, requestedAt }: PasswordResetRequest): Promise<void> {
    // Expired requests are dropped, because a request that always fails must not stay forever. A request that is dated
    // in the future is not expired, because the clock may have been set back.
    if (now() - requestedAt.getTime() < LINK_LIFETIME_MS['reset-password']) await mailLink(identity, by);
    // If the process dies before this line, the job mails the same link again.
    await requests.remove(id);
  }

  async function mailLink(identity: string, by: AuditActor): Promise<void> {
    const account = await accounts.findByEmail(identity);
    if (!account) return;
    await actors
      .run(account.id, by, (current, at) => sendLink(current, 'reset-password', at))
      .catch(ignoring('not_found'));
  }

  return {
    /**
     * Stores a request. After the call has resolved, the mail cannot be lost. Needs one write and no read, so that the
     * duration does not reveal whether the account exists. Throws AppError `busy` if the request was not stored.
     */
    async request(identity: string, by: AuditActor): Promise<void> {
      const request = { id: randomUUID(), identity, by, requestedAt: new Date(now()) };
      if (!(await requests.add(request))) throw new AppError('busy');
      // Runs after the response, so that the response time reveals nothing. If the background queue is full, a job
      // handles the request later.
      background.defer(() => carryOut(request));
    },

    /**
     * Handles the requests that were not handled in time. Returns their number. If a request fails, handles the others,
     * and then throws.
     */
    async drain(): Promise<number> {
      const until = new Date(now() - LEFT_BEHIND_MS);
      const read = (limit: number) => requests.storedUntil(until, limit);
      return forEachDue({ what: 'requests', read, idOf: ({ id }) => id }, carryOut);
    },
  };
}
