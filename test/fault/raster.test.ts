// A drawing thread that hangs or dies costs one job; a full queue says so; close ends what waits.
import { expect } from 'chai';
import type { RasterOutcome, Rasterizer } from '../../src/ports/rasterizer.js';
import { testRasterizer } from '../support/pictures.js';

const FIXTURE = new URL('./raster-fixture.js', import.meta.url);
const OK = { ok: true };
const UNPROCESSABLE = { ok: false, code: 'unprocessable' };
const BUSY = { ok: false, code: 'busy' };

describe('drawing threads that fail', () => {
  let rasterizer: Rasterizer;
  let lost: unknown[];

  function open(limits: { threads: number; maxQueue: number; timeoutMs: number }): void {
    lost = [];
    rasterizer = testRasterizer({ worker: FIXTURE, ...limits, onThreadLost: (reason) => lost.push(reason) });
  }

  function run(what: string): Promise<RasterOutcome> {
    return rasterizer.rasterize({ svg: what, width: 8, height: 8, format: 'png', quality: null });
  }

  afterEach(() => rasterizer.close());

  it('a hanging job loses its thread after its time limit, and the next one has another', async () => {
    open({ threads: 1, maxQueue: 10, timeoutMs: 300 });
    expect(await run('wait 1')).to.include(OK);
    const started = Date.now();
    const [hung, next] = await Promise.all([run('hang'), run('wait 1')]);
    expect(hung).to.include(UNPROCESSABLE);
    expect(hung).to.have.property('message').that.includes('300 ms');
    expect(next).to.include(OK);
    expect(Date.now() - started).to.be.within(300, 5000);
    expect(lost).to.have.length(1);
  });

  it('waiting for a thread is not drawing time', async () => {
    open({ threads: 1, maxQueue: 10, timeoutMs: 400 });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => run('wait 150')));
    for (const outcome of outcomes) expect(outcome).to.include(OK);
  });

  for (const death of ['throw', 'exit', 'memory']) {
    it(`a job whose thread ends by "${death}" costs no other`, async () => {
      open({ threads: 2, maxQueue: 20, timeoutMs: 10_000 });
      const outcomes = await Promise.all(['wait 20', death, 'wait 20', 'wait 20', 'wait 20'].map(run));
      expect(outcomes.map(({ ok }) => ok)).to.deep.equal([true, false, true, true, true]);
      expect(outcomes[1]).to.include(UNPROCESSABLE);
      expect(await run('wait 1')).to.include(OK);
    });
  }

  it('with T threads and a queue of Q, exactly T + Q of any number at once are taken', async () => {
    open({ threads: 2, maxQueue: 3, timeoutMs: 10_000 });
    for (let round = 0; round < 2; round++) {
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => run('wait 50')));
      expect(outcomes.filter(({ ok }) => ok)).to.have.length(5);
      for (const outcome of outcomes.filter(({ ok }) => !ok)) expect(outcome).to.include(BUSY);
    }
  });

  it('never draws more at once than it has threads', async () => {
    open({ threads: 2, maxQueue: 10, timeoutMs: 10_000 });
    await Promise.all([run('wait 1'), run('wait 1')]);
    const started = Date.now();
    await Promise.all(Array.from({ length: 6 }, () => run('wait 100')));
    expect(Date.now() - started).to.be.at.least(290);
  });

  it('close answers what runs and what waits, and refuses what comes', async () => {
    open({ threads: 1, maxQueue: 10, timeoutMs: 10_000 });
    const outcomes = [run('wait 5000'), run('wait 5000'), run('wait 5000')];
    await new Promise((resolve) => setTimeout(resolve, 200));
    await rasterizer.close();
    for (const outcome of await Promise.all(outcomes)) expect(outcome).to.include(BUSY);
    expect(await run('wait 1')).to.include(BUSY);
  });
});
