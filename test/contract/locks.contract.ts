// Contract of Locks: grants, concurrency, time, rejection.
import { expect } from 'chai';
import type { Lease, Locks } from '../../src/ports/locks.js';
import { contract } from './contract.js';

interface LocksUnderTest {
  readonly locks: Locks;
  /** Lets the time of leases go by, as if the process that holds them stood still. */
  readonly pass: (ms: number) => void | Promise<void>;
}

const LONG = { leaseMs: 60_000, waitMs: 30_000 };

export const locksContract = contract<LocksUnderTest>('Locks', (under) => {
  async function acquired(name: string, limits = LONG): Promise<Lease> {
    const lease = await under.locks.acquire(name, limits);
    if (!lease) throw new Error('the lock was not to be had');
    return lease;
  }
  const isFree = async (name: string): Promise<boolean> => {
    const lease = await under.locks.acquire(name, { leaseMs: 1000, waitMs: 0 });
    await lease?.release();
    return lease !== undefined;
  };

  it('is granted to one until it is released, per name', async () => {
    const lease = await acquired('a');
    expect(await isFree('a')).to.equal(false);
    expect(await isFree('b')).to.equal(true);
    expect(await lease.renew()).to.equal(true);
    await lease.release();
    expect(await isFree('a')).to.equal(true);
  });

  it('excludes all others under 100 contenders', async () => {
    let inside = 0;
    let most = 0;
    let done = 0;
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const lease = await acquired('contended');
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        done += 1;
        await lease.release();
      }),
    );
    expect({ most, done }).to.deep.equal({ most: 1, done: 100 });
  });

  it('grants requests in their order', async () => {
    const first = await acquired('line');
    const served: number[] = [];
    const waiting = Array.from({ length: 20 }, async (_, index) => {
      const lease = await acquired('line');
      served.push(index);
      await lease.release();
    });
    await first.release();
    await Promise.all(waiting);
    expect(served).to.deep.equal(Array.from({ length: 20 }, (_, index) => index));
  });

  it('starves no request, though others return at once without end', async () => {
    let over = false;
    const greedy = Array.from({ length: 5 }, async () => {
      while (!over) {
        const lease = await acquired('greedy');
        await new Promise((resolve) => setImmediate(resolve));
        // Not awaited: asks again before a waiter has noticed.
        void lease.release();
      }
    });
    for (let rounds = 0; rounds < 20; rounds++) await (await acquired('greedy')).release();
    over = true;
    await Promise.all(greedy);
  });

  it('waits no longer than `waitMs`', async () => {
    const lease = await acquired('busy');
    const waiting = under.locks.acquire('busy', { leaseMs: 1000, waitMs: 100 });
    await under.pass(100);
    expect(await waiting, 'it is still taken').to.equal(undefined);
    await lease.release();
    expect(await isFree('busy')).to.equal(true);
  });

  it('is granted to another when the lease of a paused process lapses, which can then neither renew nor release it', async () => {
    const paused = await acquired('paused', { leaseMs: 5000, waitMs: 0 });
    await under.pass(4999);
    expect(await isFree('paused'), 'a moment before').to.equal(false);
    await under.pass(1);
    const other = await acquired('paused', { leaseMs: 5000, waitMs: 0 });
    expect(await paused.renew()).to.equal(false);
    await paused.release();
    expect(await isFree('paused'), 'after the first one let go').to.equal(false);
    expect(await other.renew()).to.equal(true);
    await other.release();
    expect(await isFree('paused')).to.equal(true);
  });

  it('cannot be renewed once it has lapsed, even without another request', async () => {
    const lease = await acquired('late', { leaseMs: 5000, waitMs: 0 });
    await under.pass(3000);
    expect(await lease.renew()).to.equal(true);
    await under.pass(4999);
    expect(await isFree('late')).to.equal(false);
    await under.pass(1);
    expect(await lease.renew()).to.equal(false);
  });

  it('is granted to a waiting request when it lapses', async () => {
    await acquired('lapsing', { leaseMs: 100, waitMs: 0 });
    const waiting = under.locks.acquire('lapsing', LONG);
    await under.pass(100);
    expect(await waiting).to.not.equal(undefined);
  });

  it('is released once: a second release frees no other grant', async () => {
    const first = await acquired('twice');
    await first.release();
    const second = await acquired('twice');
    await first.release();
    expect(await isFree('twice')).to.equal(false);
    await second.release();
  });
});
