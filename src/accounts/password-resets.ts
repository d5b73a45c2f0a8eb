// Password resets: requests are stored before the answer and carried out after it.
import { randomUUID } from 'node:crypto';
import { sendLink } from './changes/email-links.js';
import type { AuditActor } from './audit-event.js';
import { LINK_LIFETIME_MS } from './email-link.js';
import { SECOND_MS } from '../platform/time.js';
import { AppError, ignoring } from '../platform/errors.js';
import type { PasswordResetRequest } from './password-reset-requests.js';
import { forEachDue } from '../platform/jobs/for-each-due.js';
import type { AccountContext } from './context.js';

/** A request stored for longer was left behind, by a process that ended or because too many arrived at once. */
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
    // Older requests are dropped: one that always fails must not stay for ever. One dated ahead is recent: a clock was
    // set back.
    if (now() - requestedAt.getTime() < LINK_LIFETIME_MS['reset-password']) await mailLink(identity, by);
    // A process that dies before this mails the same link twice.
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
     * Resolves when the mail can no longer be lost. Makes one write and no read, so that its time does not depend on
     * whether there is an account. Throws AppError `busy`: nothing was stored.
     */
    async request(identity: string, by: AuditActor): Promise<void> {
      const request = { id: randomUUID(), identity, by, requestedAt: new Date(now()) };
      if (!(await requests.add(request))) throw new AppError('busy');
      // Not right behind the answer either. When too much is deferred already, the job carries it out.
      background.defer(() => carryOut(request));
    },

    /** Carries out requests that were left behind; how many. Throws after the last one when any failed. */
    async drain(): Promise<number> {
      const until = new Date(now() - LEFT_BEHIND_MS);
      const read = (limit: number) => requests.storedUntil(until, limit);
      return forEachDue({ what: 'requests', read, idOf: ({ id }) => id }, carryOut);
    },
  };
}
