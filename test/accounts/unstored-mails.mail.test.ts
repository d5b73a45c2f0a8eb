// Mails that are not stored: retried for a limited time while the process runs.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { createBackgroundTasks } from '../../src/platform/jobs/background-tasks.js';
import { createUnstoredMails } from '../../src/accounts/unstored-mails.mail.js';

const MINUTE_MS = 60_000;

describe('a mail about a deleted account', () => {
  const account = 'an account' as AccountId;
  const mail = { id: 'm', to: 'ada@example.com', subject: 'Deleted', text: '', html: '' };

  function outbox(rejections: number) {
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    const [errors, sent]: [string[], string[]] = [[], []];
    const waiting: { readonly ms: number; readonly act: () => void }[] = [];
    let tries = 0;
    const mails = createUnstoredMails({
      background,
      mailer: {
        send: async ({ to }) => {
          if (++tries <= rejections) throw new Error('not today');
          sent.push(to);
          return { accepted: true };
        },
      },
      onError: (_, what) => errors.push(what),
      after: (ms, act) => waiting.push({ ms, act }),
    });
    /**
     * Makes the service try again to send the mail. Returns how long the service has waited before this attempt, ms.
     */
    const next = async () => {
      await background.settle();
      const first = waiting.shift();
      first?.act();
      await background.settle();
      return first?.ms;
    };
    return { mails, errors, sent, waiting, next, background };
  }

  it('is retried some minutes later', async () => {
    const { mails, errors, sent, next } = outbox(2);
    mails.send(account, mail);
    expect([await next(), await next(), await next()]).to.deep.equal([MINUTE_MS, 5 * MINUTE_MS, undefined]);
    expect(sent).to.deep.equal(['ada@example.com']);
    expect(errors).to.have.length(2);
  });

  it('is given up after four tries', async () => {
    const { mails, errors, sent, next } = outbox(9);
    mails.send(account, mail);
    const waits: number[] = [];
    for (let ms = await next(); ms !== undefined; ms = await next()) waits.push(ms);
    expect(waits).to.deep.equal([MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS]);
    expect(sent).to.deep.equal([]);
    expect(errors).to.have.length(4);
    expect(errors.map((what) => what.endsWith('will not be sent again'))).to.deep.equal([false, false, false, true]);
  });

  it('waits with at most a hundred others', async () => {
    const { mails, waiting, background, next } = outbox(1000);
    for (let count = 0; count < 150; count++) mails.send(account, mail);
    await background.settle();
    expect(waiting).to.have.length(100);
    await next();
    expect(waiting, 'the first one waits again').to.have.length(100);
    expect(waiting.at(-1)?.ms).to.equal(5 * MINUTE_MS);
    await next();
    mails.send(account, mail);
    await background.settle();
    expect(waiting, 'no other one has its place').to.have.length(100);
  });
});
