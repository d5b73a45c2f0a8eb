// Mailboxes, which run work with the same key one after the other: order, capacity and time limit.
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createMailboxes } from '../../src/accounts/mailbox.js';
import { rejection } from '../support/account-services.js';

describe('mailbox', () => {
  it('runs one piece of work at a time, in the order of arrival', async () => {
    const mailbox = createMailboxes();
    const seen: string[] = [];
    await Promise.all(
      Array.from({ length: 33 }, (_, index) =>
        mailbox.enter('key', async () => {
          seen.push(`begin ${index}`);
          await sleep(index % 3);
          seen.push(`end ${index}`);
        }),
      ),
    );
    expect(seen).to.deep.equal(Array.from({ length: 33 }, (_, index) => [`begin ${index}`, `end ${index}`]).flat());
    expect(mailbox.waiting()).to.equal(0);
  });

  it('queues 32 items, and rejects one more without running it', async () => {
    const mailbox = createMailboxes();
    let done = 0;
    const work = async (): Promise<void> => {
      await sleep(1);
      done += 1;
    };
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => rejection(mailbox.enter('key', work))));
    expect(outcomes).to.deep.equal([...Array<string>(33).fill('no rejection'), ...Array<string>(7).fill('busy')]);
    expect(done).to.equal(33);
  });

  it('continues after work that fails', async () => {
    const mailbox = createMailboxes();
    const failing = rejection(mailbox.enter('key', () => Promise.reject(new Error('no'))));
    const next = mailbox.enter('key', () => Promise.resolve('next'));
    expect(await failing).to.be.an('error');
    expect(await next).to.equal('next');
    expect(mailbox.waiting()).to.equal(0);
  });

  it('rejects only work that has not started after five seconds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const mailbox = createMailboxes();
    let end: (() => void) | undefined;
    const long = mailbox.enter('key', () => new Promise<string>((resolve) => (end = () => resolve('long'))));
    let begun = false;
    let outcome: unknown;
    const waiting = rejection(mailbox.enter('key', async () => void (begun = true))).then((code) => (outcome = code));
    mock.timers.tick(4999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome).to.equal(undefined);
    mock.timers.tick(1);
    expect(await waiting).to.equal('busy');
    mock.timers.reset();
    const later = mailbox.enter('key', () => Promise.resolve('later'));
    end?.();
    expect(await long).to.equal('long');
    expect(await later).to.equal('later');
    expect(begun).to.equal(false);
  });
});
