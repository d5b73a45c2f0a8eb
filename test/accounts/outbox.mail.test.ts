// Mail outbox: no mail is forgotten, and no account blocks the mails of other accounts.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Account, AccountId } from '../../src/accounts/account.js';
import type { Change } from '../../src/accounts/changes/change.js';
import { newMail } from '../../src/accounts/pending-mail.js';
import type { Mail } from '../../src/platform/mail/mailer.js';
import { createBackgroundTasks } from '../../src/platform/jobs/background-tasks.js';
import { AppError } from '../../src/platform/errors.js';
import { createMailOutbox } from '../../src/accounts/outbox.mail.js';
import { someAccount } from '../support/accounts.js';
import { clockAt } from '../support/clock.js';

describe('mail outbox', () => {
  const clock = clockAt();
  const owing = (mails: number): Account => ({
    ...someAccount({ at: clock.date() }).account,
    mails: Array.from({ length: mails }, () => newMail('key-replaced', clock.date())),
  });

  /**
   * Opens an outbox with accounts in memory. Each read of an account calls `onFind`: with 1 for the first read, 2 for
   * the second, and so on.
   */
  function open(
    accounts: readonly Account[],
    {
      sendMs = 0,
      onFind,
      onSend,
      failsFor,
    }: {
      readonly sendMs?: number;
      readonly onFind?: (reading: number) => void;
      readonly onSend?: (mail: Mail) => void;
      readonly failsFor?: AccountId;
    } = {},
  ) {
    const kept = new Map(accounts.map((account) => [account.id, account]));
    const sent: Mail[] = [];
    const forgotten: AccountId[] = [];
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    const asked: number[] = [];
    let [readings, atOnce, mostAtOnce] = [0, 0, 0];
    const outbox = createMailOutbox({
      accounts: {
        async find(id: AccountId) {
          const found = kept.get(id);
          if (id === failsFor) throw new Error('cannot be read');
          onFind?.(++readings);
          return found;
        },
        due: async (_work, _at, limit) => (asked.push(limit), [...kept.keys()].slice(0, limit)),
      },
      actors: {
        run: async <Result>(id: AccountId, _by: unknown, decide: (account: Account, at: Date) => Change<Result>) => {
          const current = kept.get(id);
          if (!current) throw new AppError('not_found');
          const { account, result } = decide(current, clock.date());
          kept.set(id, account);
          return result;
        },
      },
      mailer: {
        async send(mail: Mail) {
          onSend?.(mail);
          mostAtOnce = Math.max(mostAtOnce, ++atOnce);
          if (sendMs > 0) await sleep(sendMs);
          atOnce--;
          sent.push(mail);
          return { accepted: true };
        },
        forget: (id: AccountId) => Promise.resolve(void forgotten.push(id)),
        close: () => undefined,
      },
      write: ({ email }, { id, kind }) => ({ id, to: email, subject: kind, text: '', html: '' }),
      background,
      onError: (error) => expect.fail(String(error)),
      now: clock.now,
    });
    return { kept, sent, forgotten, background, outbox, asked, mostAtOnce: () => mostAtOnce };
  }

  it('sends a mail that was added after the last check of the account', async () => {
    const account = owing(1);
    const { kept, sent, background, outbox } = open([account], {
      onFind(reading) {
        // The second read of the account finds no mail, so the outbox is about to stop. At this moment, a mail is
        // added.
        if (reading !== 2) return;
        const now = { ...kept.get(account.id)!, mails: [newMail('password-changed', clock.date())] };
        kept.set(account.id, now);
        outbox.notice(now);
      },
    });
    outbox.notice(account);
    await background.settle();
    expect(sent.map(({ subject }) => subject)).to.deep.equal(['key-replaced', 'password-changed']);
  });

  it('forgets the mails of an account that was deleted while one was sent', async () => {
    const [gone, stays] = [owing(1), owing(1)];
    const { kept, forgotten, background, outbox } = open([gone, stays], {
      onSend: ({ to }) => void (to === gone.email && kept.delete(gone.id)),
    });
    for (const account of [gone, stays]) outbox.notice(account);
    await background.settle();
    expect(forgotten).to.deep.equal([gone.id]);
  });

  it('sends the mails of at most 200 accounts in a run of the job, and reports a failed account after the others', async () => {
    const owed = Array.from({ length: 201 }, () => owing(1));
    const { sent, outbox, asked } = open(owed);
    expect(await outbox.drain()).to.equal(200);
    expect([sent.length, asked]).to.deep.equal([200, [200]]);
    const failsFor = owed[1]!.id;
    const failing = open(owed.slice(0, 4), { failsFor });
    const outcome = await failing.outbox.drain().catch((error: unknown) => String(error));
    expect(outcome).to.equal('Error: cannot be read');
    expect(failing.sent.map(({ to }) => to)).to.have.members([0, 2, 3].map((at) => owed[at]!.email));
  });

  it('starts no work for an account whose mails are not due', async () => {
    const [mail] = owing(1).mails;
    const account = { ...owing(0), mails: [{ ...mail!, dueAt: new Date(clock.now() + 1) }] };
    let reads = 0;
    const { background, outbox } = open([account], { onFind: () => reads++ });
    outbox.notice(account);
    outbox.notice({ ...account, mails: [] });
    await background.settle();
    expect(reads).to.equal(0);
  });

  it("sends an account's one mail before the many of others", async () => {
    const busy = Array.from({ length: 6 }, () => owing(30));
    const quiet = owing(1);
    const { sent, background, outbox, mostAtOnce } = open([...busy, quiet], { sendMs: 1 });
    for (const account of [...busy, quiet]) outbox.notice(account);
    await background.settle();
    expect(sent).to.have.length(6 * 30 + 1);
    expect(sent.findIndex(({ to }) => to === quiet.email)).to.be.within(0, 10);
    expect(mostAtOnce()).to.equal(4);
  });
});
