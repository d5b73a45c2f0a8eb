// Import lock: the process that holds the lock renews it, and an expired lock is invalid.
import { mock } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { expect } from 'chai';
import { embeddedTables } from '../../src/platform/stores/sqlite/tables.js';
import { AppError } from '../../src/platform/errors.js';
import { CATALOG_STATE, STATE_ID, type States } from '../../src/catalog/catalog-state.records.js';
import { lockByState, type ImportLock } from '../../src/catalog/import-lock.records.js';
import { temporaryDatabase } from '../support/temporary.js';

const LOCK_MS = 60_000;
const BEGAN_MS = Date.UTC(2026, 4, 1);

describe('an import lock in the state of the catalog', () => {
  let states: States;
  let close: () => void;
  let nowMs: number;
  beforeEach(() => {
    const database = temporaryDatabase();
    ({ close } = database);
    states = embeddedTables(database.db)(CATALOG_STATE);
    nowMs = BEGAN_MS;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
    close();
  });
  const acquired = async (): Promise<ImportLock> => {
    const lock = await lockByState(states, { now: () => nowMs, lockMs: LOCK_MS });
    if (!lock) throw new Error('another importer has the lock');
    return lock;
  };
  const expiry = async () => (await states.get(STATE_ID))?.import?.expiresAt.getTime();
  const expectLapsed = (check: () => void) =>
    expect(check).to.throw(AppError, 'The lock of this import has expired').with.property('code', 'unavailable');

  it('grants nothing after its expiry, even if no other importer has taken it', async () => {
    const lock = await acquired();
    nowMs = BEGAN_MS + LOCK_MS - 1;
    lock.assertHeld();
    nowMs = BEGAN_MS + LOCK_MS;
    expectLapsed(lock.assertHeld);
  });

  it('is renewed before its time ends, again and again', async () => {
    const lock = await acquired();
    for (let round = 1; round <= 8; round++) {
      nowMs += LOCK_MS / 2;
      mock.timers.tick(LOCK_MS / 2);
      // The timer has started a write. Waits until the write has ended and the next timer is set.
      for (let turns = 0; turns < 20; turns++) await tick();
      expect(await expiry(), `round ${round}`).to.equal(nowMs + LOCK_MS);
      lock.assertHeld();
    }
    await lock.release();
    expect((await states.get(STATE_ID))?.import).to.equal(null);
  });

  it('is granted to another importer after its expiry, and then no longer to the first', async () => {
    const first = await acquired();
    expect(await lockByState(states, { now: () => nowMs, lockMs: LOCK_MS })).to.equal(undefined);
    nowMs += LOCK_MS;
    const other = await acquired();
    expectLapsed(first.assertHeld);
    const state = (await states.get(STATE_ID))!;
    nowMs = BEGAN_MS;
    expectLapsed(() => first.assertHeld(state));
    other.assertHeld(state);
    await first.release();
    expect(await expiry(), 'after the first one let go').to.equal(BEGAN_MS + 2 * LOCK_MS);
  });
});
