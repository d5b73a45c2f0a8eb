// Transactional outbox: mails are saved with the account, then sent, and retried, even after a crash.
import pLimit from 'p-limit';
import type { AccountActors } from './account-actors.js';
import type { Account, AccountId } from './account.js';
import { SYSTEM } from './audit-event.js';
import { settleMail } from './changes/mails.js';
import { isDue, type PendingMail } from './pending-mail.js';
import { isCode } from '../platform/errors.js';
import type { AccountStore } from './account-store.js';
import type { Mail, Mailer } from '../platform/mail/mailer.js';
import type { BackgroundTasks } from '../platform/jobs/background-tasks.js';
import type { ReportError } from '../platform/report-error.js';

const AT_ONCE = 4;
/** Maximum number of accounts per run of the job. */
const ROUND = 200;

interface Ports {
  readonly accounts: Pick<AccountStore, 'find' | 'due'>;
  readonly actors: Pick<AccountActors, 'run'>;
  readonly mailer: Mailer;
  readonly background: BackgroundTasks;
  /** Returns the mail to send. Returns undefined if the mail is obsolete, because its link was used or has expired. */
  readonly write: (account: Account, mail: PendingMail) => Mail | undefined;
  readonly onError: ReportError;
  readonly now: () => number;
}

export type MailOutbox = ReturnType<typeof createMailOutbox>;

export function createMailOutbox(ports: Ports) {
  const { accounts, background, now } = ports;
  const limit = pLimit(AT_ONCE);
  const underWay = new Map<AccountId, Promise<number>>();
  /**
   * Accounts that got another mail while their mails were being sent. Their mails are sent once more, because the new
   * mail may have been missed.
   */
  const noticed = new Set<AccountId>();

  /**
   * Sends the due mails of an account one after the other. Waits for a free connection before each mail, so that an
   * account with many mails does not block other accounts.
   */
  async function sendAll(id: AccountId): Promise<number> {
    for (let count = 0; ;) {
      const { sent, ended } = await limit(() => sendNext(ports, id));
      if (sent) count++;
      if (ended) return count;
    }
  }

  /**
   * Sends the due mails of an account. If another call is already sending them, waits for that call. Returns the number
   * of sent mails.
   */
  function send(id: AccountId): Promise<number> {
    const running = underWay.get(id) ?? sendAll(id).finally(() => end(id));
    underWay.set(id, running);
    return running;
  }

  function end(id: AccountId): void {
    underWay.delete(id);
    if (noticed.delete(id)) background.start(() => send(id));
  }

  return {
    /** Sends the account's due mails in the background. Must be called after every change of an account. */
    notice(account: Account): void {
      if (!account.mails.some((mail) => isDue(mail, new Date(now())))) return;
      if (underWay.has(account.id)) noticed.add(account.id);
      else background.start(() => send(account.id));
    },
    /**
     * Sends the due mails of all accounts. Returns the number of sent mails. If an account fails, sends the mails of
     * the other accounts, and then rejects.
     */
    async drain(): Promise<number> {
      const due = await accounts.due('mail', new Date(now()), ROUND);
      const outcomes = await Promise.allSettled(due.map(send));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
      return outcomes.reduce((sum, outcome) => sum + (outcome.status === 'fulfilled' ? outcome.value : 0), 0);
    },
  };
}

/** Sends the next due mail. `ended` is true if no further mail is due. */
async function sendNext(ports: Ports, id: AccountId): Promise<{ readonly sent: boolean; readonly ended: boolean }> {
  const account = await ports.accounts.find(id);
  const mail = account?.mails.find((pending) => isDue(pending, new Date(ports.now())));
  if (!account || !mail) return { sent: false, ended: true };
  const outcome = await deliver(ports, account, mail);
  const exists = await settle(ports, id, { mail, sent: outcome !== 'failed' });
  if (!exists) await ports.mailer.forget(id);
  return { sent: outcome === 'sent', ended: !exists };
}

async function deliver(
  { write, mailer, onError }: Ports,
  account: Account,
  mail: PendingMail,
): Promise<'sent' | 'obsolete' | 'refused' | 'failed'> {
  const message = write(account, mail);
  if (!message) return 'obsolete';
  const fields = { account: account.id, mail: mail.kind };
  try {
    const delivery = await mailer.send(message);
    if (delivery.accepted) return 'sent';
    onError(undefined, 'the mail server rejected the recipient; the e-mail will not be sent again', {
      ...fields,
      reply: delivery.reply,
    });
    return 'refused';
  } catch (error) {
    onError(error, 'sending an e-mail failed; trying again later', fields);
    return 'failed';
  }
}

/** Removes a sent mail, or reschedules a failed mail. Returns false if the account was deleted in the meantime. */
async function settle(
  { actors }: Ports,
  id: AccountId,
  { mail, sent }: { readonly mail: PendingMail; readonly sent: boolean },
): Promise<boolean> {
  try {
    await actors.run(id, SYSTEM, (current, at) => settleMail(current, mail.id, { sent, at }));
    return true;
  } catch (error) {
    if (isCode(error, 'not_found')) return false;
    throw error;
  }
}
