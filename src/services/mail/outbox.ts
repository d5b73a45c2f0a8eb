// Sends the mails that accounts owe their owners: at once when it can, again later when it cannot, and after a crash
// too.
import pLimit from 'p-limit';
import type { AccountActors } from '../../actors/account-actors.js';
import type { Account, AccountId } from '../../domain/account/account.js';
import { settleMail } from '../../domain/account/changes/mails.js';
import { isDue, type PendingMail } from '../../domain/account/pending-mail.js';
import { AppError } from '../../errors.js';
import type { AccountStore } from '../../ports/account-store.js';
import type { Mail, Mailer } from '../../ports/mailer.js';
import type { BackgroundTasks } from '../background-tasks.js';

const AT_ONCE = 4;
/** Accounts that one round of the job looks at. */
const ROUND = 200;
const SYSTEM = { kind: 'system', address: null } as const;

interface Ports {
  readonly accounts: Pick<AccountStore, 'find' | 'due'>;
  readonly actors: AccountActors;
  readonly mailer: Mailer;
  /** Undefined when there is nothing to say any more: its link was used, or is too old. */
  readonly write: (account: Account, mail: PendingMail) => Mail | undefined;
  readonly background: BackgroundTasks;
  readonly onFailure: (error: unknown, mail: PendingMail) => void;
  readonly now: () => number;
}

export interface MailOutbox {
  /** To be told of every change: what is due is sent in the background. */
  notice(account: Account): void;
  /** Sends what is due, of all accounts; how many were sent. Throws after the last one when it failed for any. */
  drain(): Promise<number>;
}

export function createMailOutbox({ accounts, actors, mailer, write, background, onFailure, now }: Ports): MailOutbox {
  const limit = pLimit(AT_ONCE);
  const underWay = new Map<AccountId, Promise<number>>();
  /** Got a mail while others were being sent, maybe after the last look. */
  const noticed = new Set<AccountId>();

  const isDueNow = (mail: PendingMail): boolean => isDue(mail, new Date(now()));

  async function outcomeOf(account: Account, mail: PendingMail): Promise<'sent' | 'nothing to say' | 'failed'> {
    const message = write(account, mail);
    if (!message) return 'nothing to say';
    try {
      await mailer.send(message);
      return 'sent';
    } catch (error) {
      onFailure(error, mail);
      return 'failed';
    }
  }

  /** False: the account is gone meanwhile, and owes nobody anything. */
  async function settle(id: AccountId, mail: PendingMail, sent: boolean): Promise<boolean> {
    try {
      await actors.run(id, SYSTEM, (current, at) => settleMail(current, mail.id, { sent, at }));
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return false;
      throw error;
    }
  }

  /** `ended`: nothing is due any more. */
  async function sendNext(id: AccountId): Promise<{ readonly sent: boolean; readonly ended: boolean }> {
    const account = await accounts.find(id);
    const mail = account?.mails.find(isDueNow);
    if (!account || !mail) return { sent: false, ended: true };
    const outcome = await outcomeOf(account, mail);
    const isKnown = await settle(id, mail, outcome !== 'failed');
    return { sent: outcome === 'sent', ended: !isKnown };
  }

  /**
   * One after the other, until none is due. Each waits its turn behind all other accounts, or a few that owe mails
   * without end would keep everybody else's from going out.
   */
  async function sendAll(id: AccountId): Promise<number> {
    for (let count = 0; ;) {
      const { sent, ended } = await limit(() => sendNext(id));
      if (sent) count++;
      if (ended) return count;
    }
  }

  /** At most one line of sending per account in this process. */
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
    notice(account) {
      if (!account.mails.some(isDueNow)) return;
      if (underWay.has(account.id)) noticed.add(account.id);
      else background.start(() => send(account.id));
    },
    async drain() {
      const due = await accounts.due('mail', new Date(now()), ROUND);
      const outcomes = await Promise.allSettled(due.map(send));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
      return outcomes.reduce((sum, outcome) => sum + (outcome.status === 'fulfilled' ? outcome.value : 0), 0);
    },
  };
}
