// Counts of missing names per day. The number of names is limited, and each account gets a fair share. The counts are
// kept while the store is unavailable.
import { expect } from 'chai';
import { MAX_MISSING_NAMES, type MissingCount, type MissingNamesOfDay } from '../../src/missing-names/missing-names.js';
import { missingNames } from '../../src/platform/not-found.js';
import { AppError } from '../../src/platform/errors.js';
import { MAX_NAMES_OF_ASKER, openMissingCounts, type MissingCounts } from '../../src/missing-names/missing-counts.js';
import { rejection } from '../support/account-services.js';
import { clockAt, DAY_MS, type Clock } from '../support/clock.js';

describe('counts of missing names', () => {
  let clock: Clock;
  let stored: Map<string, MissingNamesOfDay>;
  let writes: number;
  let isAway: boolean;
  let counts: MissingCounts;
  beforeEach(() => {
    clock = clockAt();
    stored = new Map();
    [writes, isAway] = [0, false];
    counts = openMissingCounts({
      store: {
        async put(process, counted) {
          if (isAway) throw new AppError('unavailable');
          writes += 1;
          stored.set(`${process} ${counted.day}`, counted);
          return true;
        },
      },
      now: clock.now,
      onError: () => undefined,
    });
  });
  afterEach(() => counts.close());

  const ask = (asker: string, ...names: readonly string[]) => counts.count(asker, missingNames('name', ...names));
  const days = () => [...stored.values()];
  async function counted(): Promise<readonly MissingCount[]> {
    await counts.flush();
    return days().at(-1)?.names ?? [];
  }

  it('include requests and accounts', async () => {
    for (let time = 0; time < 3; time++) ask('ada', 'Acme');
    ask('ada', 'hooli');
    ask('bob', 'acme', 'HOOLI');
    ask('eve', 'initech');
    expect(await counted()).to.deep.equal([
      { kind: 'name', name: 'acme', accounts: 2, requests: 4 },
      { kind: 'name', name: 'hooli', accounts: 2, requests: 2 },
      { kind: 'name', name: 'initech', accounts: 1, requests: 1 },
    ]);
    expect(JSON.stringify(days())).to.not.match(/ada|bob|eve/);
  });

  it('are only stored if there are new ones', async () => {
    await counts.flush();
    ask('ada', 'acme');
    counts.count('ada', []);
    await counts.flush();
    await counts.flush();
    expect(writes).to.equal(1);
  });

  it('belong to the day on which they were counted', async () => {
    ask('ada', 'acme');
    clock.advance(DAY_MS);
    ask('ada', 'hooli');
    await counts.flush();
    expect(days().map(({ day, names: [first] }) => [day, first?.name, first?.accounts])).to.deep.equal([
      ['2026-05-01', 'acme', 1],
      ['2026-05-02', 'hooli', 1],
    ]);
  });

  it('include a hundred names per account and day, and keep counting these', async () => {
    for (let at = 0; at < 3 * MAX_NAMES_OF_ASKER; at++) ask('eve', `noise ${at}`);
    ask('eve', 'noise 0', 'late');
    ask('ada', 'late');
    const names = await counted();
    expect(names).to.have.length(MAX_NAMES_OF_ASKER + 1);
    expect(names.find(({ name }) => name === 'noise 0')).to.include({ requests: 2 });
    expect(names.find(({ name }) => name === 'late')).to.include({ accounts: 1, requests: 1 });
  });

  it('are bounded, and noise from many accounts does not displace frequent names', async () => {
    for (const asker of ['ada', 'bob']) ask(asker, 'acme');
    for (let time = 0; time < 3; time++) ask('ada', 'hooli');
    for (let asker = 0; asker < 200; asker++)
      for (let at = 0; at < MAX_NAMES_OF_ASKER; at++) ask(`eve ${asker}`, `noise ${asker} ${at}`);
    const names = await counted();
    expect(names).to.have.length(MAX_MISSING_NAMES);
    expect(names.slice(0, 2).map(({ name }) => name)).to.deep.equal(['acme', 'hooli']);
  });

  it('are stored later if the store is unavailable, even counts of a previous day', async () => {
    isAway = true;
    ask('ada', 'acme');
    expect(await rejection(counts.flush())).to.equal('unavailable');
    clock.advance(DAY_MS);
    ask('ada', 'hooli');
    expect(await rejection(counts.flush())).to.equal('unavailable');
    isAway = false;
    await counts.close();
    expect(days().map(({ names }) => names.map(({ name }) => name))).to.deep.equal([['acme'], ['hooli']]);
  });
});
