// Contract tests of the port `Locks`: acquisition, concurrency of two processes, time, rejection.
import { expect } from 'chai';
import type { Lock, Locks } from '../../../src/platform/stores/locks.js';
import { contract } from './contract.js';

interface LocksUnderTest {
  readonly locks: Locks;
  /** Locks in another process. */
  readonly beside: Locks;
  /** Lets `ms` milliseconds pass for the lock with this name. */
  readonly pass: (name: string, ms: number) => Promise<void>;
}

const LONG = { expiresAfterMs: 60_000, waitMs: 30_000 };

export const locksContract = contract<LocksUnderTest>('Locks', (under) => {
  async function acquired(name: string, locks = under.locks): Promise<Lock> {
    const lock = await locks.acquire(name, LONG);
    if (!lock) throw new Error('the lock was not to be had');
    return lock;
  }
  const isFree = async (name: string): Promise<boolean> => {
    const lock = await under.locks.acquire(name, { expiresAfterMs: 1000, waitMs: 0 });
    await lock?.release();
    return lock !== undefined;
  };

  it('is granted to one until it is released, per name', async () => {
    const lock = await acquired('a');
    expect(await isFree('a')).to.equal(false);
    expect(await isFree('b')).to.equal(true);
    expect(await lock.renew()).to.equal(true);
    await lock.release();
    expect(await isFree('a')).to.equal(true);
  });

  it('excludes all others under 100 contenders of two processes', async () => {
    let inside = 0;
    let most = 0;
    let done = 0;
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const lock = await acquired('contended', index % 2 ? under.locks : under.beside);
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        done += 1;
        await lock.release();
      }),
    );
    expect({ most, done }).to.deep.equal({ most: 1, done: 100 });
  });

  it('grants requests of all processes in order', async () => {
    const first = await acquired('line');
    const served: number[] = [];
    const serve = async (locks: Locks, index: number): Promise<void> => {
      const lock = await acquired('line', locks);
      served.push(index);
      await lock.release();
    };
    const waiting: Promise<void>[] = [];
    for (let index = 0; index < 20; index++) {
      const locks = index % 3 ? under.locks : under.beside;
      waiting.push(serve(locks, index));
      // Requests reach the store in order. When this `acquire` resolves, the store has therefore also received the
      // earlier `acquire` in `serve`.
      await locks.acquire('line', { expiresAfterMs: 1, waitMs: 0 });
    }
    await first.release();
    await Promise.all(waiting);
    expect(served).to.deep.equal(Array.from({ length: 20 }, (_, index) => index));
  });

  it('starves no request, even if another process returns repeatedly without a pause', async () => {
    let over = false;
    const greedy = Array.from({ length: 5 }, async () => {
      while (!over) {
        const lock = await acquired('greedy', under.beside);
        await new Promise((resolve) => setImmediate(resolve));
        // Does not wait for the release. This process therefore requests the lock again before another waiting process
        // notices the release.
        void lock.release();
      }
    });
    for (let rounds = 0; rounds < 20; rounds++) await (await acquired('greedy')).release();
    over = true;
    await Promise.all(greedy);
  });

  it('waits no longer than `waitMs`, and then blocks nobody', async () => {
    const lock = await acquired('busy');
    expect(await under.locks.acquire('busy', { expiresAfterMs: 1000, waitMs: 100 }), 'still taken').to.equal(undefined);
    await lock.release();
    expect(await isFree('busy')).to.equal(true);
  });

  it("is granted to another when a paused process's lock expires, which that process then cannot renew or release", async () => {
    const paused = await acquired('paused');
    await under.pass('paused', LONG.expiresAfterMs);
    expect(await paused.renew(), 'even without another request').to.equal(false);
    const other = await acquired('paused');
    expect(await paused.renew()).to.equal(false);
    await paused.release();
    expect(await isFree('paused'), 'after the first one let go').to.equal(false);
    expect(await other.renew()).to.equal(true);
    await other.release();
    await other.release();
    expect(await isFree('paused')).to.equal(true);
  });

  it('expires later when it is renewed, and is then granted to a waiting request', async () => {
    const lock = await acquired('late');
    await under.pass('late', 40_000);
    expect(await lock.renew()).to.equal(true);
    await under.pass('late', 40_000);
    expect(await isFree('late')).to.equal(false);
    const waiting = acquired('late');
    await under.pass('late', 20_000);
    await waiting;
  });
});
