// Mail delivery by mail servers that fail.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import { regenerateKey } from '../../src/accounts/changes/credentials.js';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import { linkToken } from '../../src/accounts/email-link.js';
import { openTestAccounts, PASSWORD_HASH, someClient, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { clockAt, HOUR_MS, MINUTE_MS, type Clock } from '../support/clock.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { temporaryDir } from '../support/temporary.js';

const BY = { kind: 'customer', address: null } as const;

describe('mails by SMTP', () => {
  let server: MailServer;
  let clock: Clock;
  let parts: TestAccounts;
  let account: Account;
  beforeEach(async () => {
    server = await startMailServer();
    clock = clockAt();
    parts = await openTestAccounts({ now: clock.now, variables: { SMTP_URL: server.url } });
    account = { ...someAccount({ passwordHash: PASSWORD_HASH, at: clock.date() }).account, mails: [] };
    await parts.accounts.insert(account);
  });
  afterEach(async () => {
    await parts.close();
    await server.down();
  });

  const current = async (): Promise<Account> => (await parts.accounts.find(account.id))!;
  async function owe(): Promise<void> {
    await parts.actors.run(account.id, BY, (now, at) => regenerateKey(now, undefined, at));
  }
  /**
   * Advances the clock by ten minutes, and adds another mail. In ten minutes, at most one notice of each kind is
   * mailed.
   */
  async function oweAnother(): Promise<void> {
    clock.advance(10 * MINUTE_MS);
    await owe();
  }
  const tried = () => eventually(async () => (await current()).mails[0]?.tries === 1, 'try');
  const sent = () => eventually(async () => (await current()).mails.length === 0, 'end of the mails');
  const received = (count: number) => eventually(() => server.received.length >= count, 'mails');

  it('are sent immediately, once each, to their owner', async () => {
    for (let round = 0; round < 5; round++) await oweAnother();
    await sent();
    await parts.outbox.drain();
    expect(server.received).to.have.length(5);
    for (const mail of server.received) {
      expect(mail.to).to.deep.equal([account.email]);
      expect(mail.source)
        .to.match(/^From: Blazon <no-reply@icons\.example>\r?$/m)
        .and.match(/^Auto-Submitted: auto-generated\r?$/m);
    }
    const ids = server.received.map(({ source }) => /^Message-ID: <(\w+)@icons\.example>\r?$/m.exec(source)?.[1]);
    expect(new Set(ids).size).to.equal(5);
    expect(ids).to.not.include(undefined);
  });

  it('are retried after a minute, two, four and so on while the server is down, and arrive once', async () => {
    await server.down();
    await owe();
    await tried();
    let dueMs = clock.now();
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      dueMs += minutes * MINUTE_MS;
      const [mail] = (await current()).mails;
      expect(mail?.dueAt.getTime(), `${minutes} minutes`).to.equal(dueMs);
      clock.advance(minutes * MINUTE_MS - 1);
      await parts.outbox.drain();
      expect((await current()).mails[0]?.tries, 'not before').to.equal(mail?.tries);
      clock.advance(1);
      await parts.outbox.drain();
      expect((await current()).mails[0]?.tries).to.equal((mail?.tries ?? 0) + 1);
    }
    await server.up();
    clock.advance(HOUR_MS);
    expect(await parts.outbox.drain()).to.equal(1);
    expect(await parts.outbox.drain()).to.equal(0);
    expect(server.received).to.have.length(1);
    expect(parts.problems).to.have.length(9);
  });

  it('are retried when the server rejects them', async () => {
    server.mood = 'rejects';
    await owe();
    await tried();
    expect([server.tries(), server.received.length]).to.deep.equal([1, 0]);
    server.mood = 'works';
    clock.advance(MINUTE_MS);
    expect(await parts.outbox.drain()).to.equal(1);
    expect([server.tries(), server.received.length]).to.deep.equal([2, 1]);
  });

  it('end when the server refuses the recipient for good, and are retried when it may accept it later', async () => {
    const fields = { account: account.id, mail: 'key-replaced' };
    server.refusal = 450;
    await owe();
    await tried();
    expect([server.refusals(), parts.reports.at(-1)]).to.deep.equal([
      1,
      { what: 'sending an e-mail failed; trying again later', ...fields },
    ]);
    server.refusal = 550;
    clock.advance(MINUTE_MS);
    expect(await parts.outbox.drain()).to.equal(0);
    expect((await current()).mails).to.deep.equal([]);
    const reply = '550 no mail for this address';
    const what = 'the mail server rejected the recipient; the e-mail will not be sent again';
    expect(parts.reports.at(-1)).to.deep.equal({ what, ...fields, reply });
    clock.advance(HOUR_MS);
    await parts.outbox.drain();
    expect([server.refusals(), server.received]).to.deep.equal([2, []]);
  });

  it('stop after a permanent rejection of the recipient if they concern a deleted account', async () => {
    server.refusal = 550;
    await parts.operator.delete(await current());
    await eventually(() => parts.reports.length > 0, 'line of the log');
    expect(parts.reports).to.deep.equal([
      {
        what: 'the mail server rejected the recipient of an e-mail about a deleted account; the e-mail will not be sent again',
        ...{ account: account.id, mail: 'account-deleted', reply: '550 no mail for this address' },
      },
    ]);
  });

  it('are dropped after two days', async () => {
    server.mood = 'rejects';
    await owe();
    await tried();
    clock.advance(48 * HOUR_MS);
    await parts.outbox.drain();
    expect((await current()).mails).to.deep.equal([]);
  });

  it('do not delay requests if the server does not answer, and are sent once although the job runs meanwhile', async () => {
    server.mood = 'holds';
    await owe();
    const drained = Promise.all([parts.outbox.drain(), parts.outbox.drain()]);
    for (let round = 0; round < 3; round++) await oweAnother();
    await eventually(() => server.tries() > 0, 'mail');
    expect(server.received).to.deep.equal([]);
    server.mood = 'works';
    await drained;
    await sent();
    expect(server.received).to.have.length(4);
    expect(parts.problems).to.deep.equal([]);
  });

  it('are sent immediately if they are added while another is being sent', async () => {
    for (let round = 1; round <= 200; round++) {
      await oweAnother();
      if (round % 2 === 0) await received(round - 1);
    }
    // No job runs in this test, so only the outbox can find the mails.
    await received(200);
    await sent();
  });

  it('are sent after a crash between saving and sending', async () => {
    const { path: dataDir, remove } = temporaryDir();
    await server.down();
    const before = await openTestAccounts({ now: clock.now, dataDir, variables: { SMTP_URL: server.url } });
    const owed = someAccount({ at: clock.date() }).account;
    await before.accounts.insert(owed);
    await before.close();
    await server.up();
    const after = await openTestAccounts({ now: clock.now, dataDir, variables: { SMTP_URL: server.url } });
    expect(await after.outbox.drain()).to.equal(1);
    expect(server.received[0]?.source).to.include(`Message-ID: <${owed.mails[0]!.id}@`);
    await after.close();
    remove();
  });

  it('cause no error when the account is deleted meanwhile', async () => {
    server.mood = 'holds';
    await owe();
    await eventually(() => server.tries() === 1, 'mail');
    await parts.actors.run(account.id, BY, (now, at) => beginDeletion(now, undefined, at));
    await parts.accounts.remove(account.id);
    server.mood = 'works';
    await received(1);
    await sleep(50);
    expect(await parts.outbox.drain()).to.equal(0);
    expect(parts.problems).to.deep.equal([]);
  });

  it('are neither sent nor counted when their link is no longer valid', async () => {
    await server.down();
    const { account: other } = someAccount({ at: clock.date() });
    await parts.accounts.insert(other);
    const token = linkToken(other.id, other.links[0]!, parts.linkSecrets[0]);
    await parts.links.verifyEmail(token, someClient());
    await server.up();
    expect(await parts.outbox.drain()).to.equal(0);
    expect(server.received).to.deep.equal([]);
    expect((await parts.accounts.find(other.id))?.mails).to.deep.equal([]);
  });

  it('do not keep the process from ending', async () => {
    server.mood = 'holds';
    const closing = await openTestAccounts({ now: clock.now, variables: { SMTP_URL: server.url } });
    const { account: other } = someAccount({ at: clock.date() });
    await closing.accounts.insert(other);
    closing.outbox.notice(other);
    await eventually(() => server.tries() === 1, 'mail');
    await closing.close();
    server.mood = 'works';
  });
});
