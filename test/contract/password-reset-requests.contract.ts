// Contract of PasswordResetRequests: writes and reads, concurrency, time, limit.
import { expect } from 'chai';
import pLimit from 'p-limit';
import {
  MAX_STORED_REQUESTS,
  type PasswordResetRequest,
  type PasswordResetRequests,
} from '../../src/ports/password-reset-requests.js';
import { MINUTE_MS } from '../support/clock.js';
import { contract } from './contract.js';

interface PasswordResetRequestsUnderTest {
  readonly requests: PasswordResetRequests;
  /** The same requests, as after a restart. */
  readonly reopened: () => PasswordResetRequests | Promise<PasswordResetRequests>;
}

/** Of each opening: all of them at once would take a database longer than it has for one. */
const AT_ONCE = 100;

export const passwordResetRequestsContract = contract<PasswordResetRequestsUnderTest>(
  'PasswordResetRequests',
  (under) => {
    const request = (id: string, offsetMs = 0): PasswordResetRequest => ({
      id,
      identity: `${id}@example.com`,
      by: { kind: 'customer', address: '192.0.2.0/24' },
      requestedAt: new Date(under.clock.now() + offsetMs),
    });
    const ids = async (limit = 10, requests = under.requests) =>
      (await requests.storedUntil(under.clock.date(), limit)).map(({ id }) => id);

    it('stores each request across restarts until it is removed', async () => {
      const stored = request('a');
      expect(await under.requests.add(stored)).to.equal(true);
      const reopened = await under.reopened();
      expect(await reopened.storedUntil(under.clock.date(), 10)).to.deep.equal([stored]);
      await reopened.remove('a');
      await reopened.remove('a');
      expect(await ids()).to.deep.equal([]);
    });

    it('returns the oldest, and none newer than requested', async () => {
      for (const [id, offsetMs] of [
        ['c', -1],
        ['a', -3],
        ['d', 1],
        ['b', -2],
      ] as const)
        await under.requests.add(request(id, offsetMs));
      expect(await ids()).to.deep.equal(['a', 'b', 'c']);
      expect(await ids(2)).to.deep.equal(['a', 'b']);
    });

    it('also returns requests dated by a clock that was ahead', async () => {
      await under.requests.add(request('ahead', MINUTE_MS + 1));
      await under.requests.add(request('soon', MINUTE_MS));
      expect(await ids()).to.deep.equal(['ahead']);
    });

    it('stores all of many at once, over two openings, up to its limit', async () => {
      const half = MAX_STORED_REQUESTS / 2;
      const outcomes = await Promise.all(
        Object.entries({ a: under.requests, b: await under.reopened() }).map(([name, requests]) =>
          pLimit(AT_ONCE).map(
            Array.from({ length: half }, (_, index) => request(`${name}${index}`)),
            (each) => requests.add(each),
          ),
        ),
      );
      expect(outcomes.flat().every((stored) => stored)).to.equal(true);
      expect(await under.requests.add(request('beyond'))).to.equal(false);
      await under.requests.remove('a0');
      expect(await under.requests.add(request('room'))).to.equal(true);
      expect(await ids(2 * MAX_STORED_REQUESTS))
        .to.have.length(MAX_STORED_REQUESTS)
        .and.not.include('beyond');
    });
  },
);
