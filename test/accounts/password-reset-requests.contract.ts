// Contract tests of the port `PasswordResetRequests`: writes and reads, concurrency, time, limit.
import { expect } from 'chai';
import pLimit from 'p-limit';
import { MAX_STORED_REQUESTS, type PasswordResetRequest } from '../../src/accounts/password-reset-requests.js';
import { MINUTE_MS } from '../support/clock.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

/** Number of concurrent requests. More requests would exceed the time limit of the database. */
const AT_ONCE = 100;

export const passwordResetRequestsContract = contract<RecordsUnderTest>('PasswordResetRequests', (under) => {
  const request = (id: string, offsetMs = 0): PasswordResetRequest => ({
    id,
    identity: `${id}@example.com`,
    by: { kind: 'customer', address: '192.0.2.0/24' },
    requestedAt: new Date(under.clock.now() + offsetMs),
  });
  const ids = async (limit = 10, requests = under.stores.resetRequests) =>
    (await requests.storedUntil(under.clock.date(), limit)).map(({ id }) => id);

  it('stores each request across restarts until it is removed', async () => {
    const stored = request('a');
    expect(await under.stores.resetRequests.add(stored)).to.equal(true);
    const { resetRequests: reopened } = await under.beside();
    expect(await reopened.storedUntil(under.clock.date(), 10)).to.deep.equal([stored]);
    await reopened.remove('a');
    await reopened.remove('a');
    expect(await ids()).to.deep.equal([]);
  });

  it('returns the oldest up to the requested time', async () => {
    for (const [id, offsetMs] of [
      ['c', -1],
      ['a', -3],
      ['d', 1],
      ['b', -2],
    ] as const)
      await under.stores.resetRequests.add(request(id, offsetMs));
    expect(await ids()).to.deep.equal(['a', 'b', 'c']);
    expect(await ids(2)).to.deep.equal(['a', 'b']);
  });

  it('also returns requests dated by a clock that was ahead', async () => {
    await under.stores.resetRequests.add(request('ahead', MINUTE_MS + 1));
    await under.stores.resetRequests.add(request('soon', MINUTE_MS));
    expect(await ids()).to.deep.equal(['ahead']);
  });

  it('stores many concurrent requests, over two openings, up to its limit', async () => {
    const half = MAX_STORED_REQUESTS / 2;
    const outcomes = await Promise.all(
      Object.entries({ a: under.stores.resetRequests, b: (await under.beside()).resetRequests }).map(
        ([name, requests]) =>
          pLimit(AT_ONCE).map(
            Array.from({ length: half }, (_, index) => request(`${name}${index}`)),
            (each) => requests.add(each),
          ),
      ),
    );
    expect(outcomes.flat().every((stored) => stored)).to.equal(true);
    expect(await under.stores.resetRequests.add(request('beyond'))).to.equal(false);
    await under.stores.resetRequests.remove('a0');
    expect(await under.stores.resetRequests.add(request('room'))).to.equal(true);
    expect(await ids(2 * MAX_STORED_REQUESTS))
      .to.have.length(MAX_STORED_REQUESTS)
      .and.not.include('beyond');
  });
});
