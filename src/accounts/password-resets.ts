// Password resets: requests are stored before the response and carried out after it.
import { randomUUID } from 'node:crypto';
import { sendLink } from './changes/email-links.js';
import type { AuditActor } from './audit-event.js';
import { LINK_LIFETIME_MS } from './email-link.js';
import { SECOND_MS } from '../platform/time.js';
import { AppError, ignoring } from '../platform/errors.js';
import type { PasswordResetRequest } from './password-reset-requests.js';
import { forEachDue } from '../platform/jobs/for-each-due.js';
import type { AccountContext } from './context.js';

/** Age in ms at which a request counts as left behind: its process ended, or too many requests arrived at once. */
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
    // Older requests are dropped, because a request that always fails must not stay forever. A request dated ahead
    // counts as recent: a clock was set back.
    if (now() - requestedAt.getTime() < LINK_LIFETIME_MS['reset-password']) await mailLink(identity, by);
    // If a process dies before this line, the same link is mailed twice.
    await requests.remove(id);
  }

  async function mailLink(identity: string, by: AuditActor): Promise<void> {
    const account = await accounts.findByEmail(identity);
    if (!account || account.deleting) return;
    await actors
      .run(account.id, by, (current, at) => sendLink(current, 'reset-password', at))
      .catch(ignoring('not_found'));
  }

  return {
    /**
     * Stores a request. Resolves when the mail can no longer be lost. Makes one write and no read, so its time does not
     * depend on whether the account exists. Throws AppError `busy`: nothing was stored.
     */
    async request(identity: string, by: AuditActor): Promise<void> {
      const request = { id: randomUUID(), identity, by, requestedAt: new Date(now()) };
      if (!(await requests.add(request))) throw new AppError('busy');
      // The work is deferred, so that its timing reveals nothing. If too much is deferred, the job does it.
      background.defer(() => carryOut(request));
    },

    /**
     * Carries out requests that were left behind. Returns their number. If one failed, the method handles the others
     * first and then throws.
     */
    async drain(): Promise<number> {
      const until = new Date(now() - LEFT_BEHIND_MS);
      const read = (limit: number) => requests.storedUntil(until, limit);
      return forEachDue({ what: 'requests', read, idOf: ({ id }) => id }, carryOut);
    },
  };
}
