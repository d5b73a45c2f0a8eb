// Mails to former owners of deleted accounts. They are not stored, so unsent mails are lost when the process ends.
import type { AccountId } from './account.js';
import { MINUTE_MS } from '../platform/time.js';
import type { Mail, Mailer } from '../platform/mail/mailer.js';
import type { BackgroundTasks } from '../platform/jobs/background-tasks.js';
import type { ReportError } from '../platform/report-error.js';

/**
 * Delays in ms after the first, second and third failure. Some mail servers reject unknown senders for some minutes
 * (greylisting, RFC 6647).
 */
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
/** Maximum number of failed mails that wait for another attempt. Further failed mails are dropped. */
const MAX_WAITING = 100;

const REFUSED =
  'the mail server rejected the recipient of an e-mail about a deleted account; the e-mail will not be sent again';

interface Ports {
  readonly mailer: Pick<Mailer, 'send'>;
  readonly background: Pick<BackgroundTasks, 'start'>;
  readonly onError: ReportError;
  /** Calls `act` after `ms`. A pending call does not keep the process alive. */
  readonly after?: (ms: number, act: () => void) => void;
}

export type UnstoredMails = ReturnType<typeof createUnstoredMails>;

export function createUnstoredMails({ mailer, background, onError, after = later }: Ports) {
  let waiting = 0;

  async function send(account: AccountId, mail: Mail, failures: number): Promise<void> {
    const fields = { account, mail: 'account-deleted' };
    try {
      const delivery = await mailer.send(mail);
      if (!delivery.accepted) onError(undefined, REFUSED, { ...fields, reply: delivery.reply });
    } catch (error) {
      const waitMs = waiting < MAX_WAITING ? RETRY_AFTER_MS[failures] : undefined;
      onError(
        error,
        `sending an e-mail about a deleted account failed; ${waitMs === undefined ? 'it will not be sent again' : 'trying again later'}`,
        fields,
      );
      if (waitMs === undefined) return;
      waiting++;
      after(waitMs, () => {
        waiting--;
        background.start(() => send(account, mail, failures + 1));
      });
    }
  }

  return {
    /** Sends a mail in the background. Never throws. Log lines about the mail contain the account's id. */
    send: (account: AccountId, mail: Mail): void => background.start(() => send(account, mail, 0)),
  };
}

function later(ms: number, act: () => void): void {
  setTimeout(act, ms).unref();
}
