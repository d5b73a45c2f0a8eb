// Readiness: its checks, and how often they run.
import { expect } from 'chai';
import { bounded, createHealth } from '../../../src/platform/http/health.js';

describe('health', () => {
  it('runs a bounded check once at a time, and once a second, however often it is called', async () => {
    let [now, runs, fails] = [0, 0, false];
    let end: () => void = () => undefined;
    const check = bounded(
      async () => {
        runs += 1;
        await new Promise<void>((resolve) => (end = resolve));
        if (fails) throw new Error('full');
      },
      () => now,
    );
    const service = createHealth({ disk: check });
    const round = async (): Promise<string> => {
      const asked = Array.from({ length: 20 }, () => service.readiness());
      end();
      const [first] = await Promise.all(asked);
      return first?.checks.disk ?? '';
    };
    expect([await round(), runs]).to.deep.equal(['ok', 1]);
    fails = true;
    now = 999;
    expect([await round(), runs], 'kept').to.deep.equal(['ok', 1]);
    now = 1000;
    expect([await round(), runs], 'failures are kept as long').to.deep.equal(['full', 2]);
    fails = false;
    expect([await round(), runs]).to.deep.equal(['full', 2]);
    now = 2000;
    expect([await round(), runs]).to.deep.equal(['ok', 3]);
  });

  it('checks all parts concurrently, so that waits for several silent parts do not add up', async () => {
    let begun = 0;
    let allBegun: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (allBegun = resolve));
    const check = () => {
      begun += 1;
      if (begun === 2) allBegun();
      return all;
    };
    expect(await createHealth({ mongodb: check, redis: check }).readiness()).to.include({ status: 'ready' });
  });

  it('names every part that is not ready', async () => {
    const report = await createHealth({
      database: () => Promise.resolve(),
      search: () => Promise.reject(new Error('not built')),
    }).readiness();
    expect(report).to.deep.equal({ status: 'unavailable', checks: { database: 'ok', search: 'not built' } });
  });
});
