// A drawing that hangs or crashes, in JavaScript or in native code, costs one job; a full queue says so; close ends what waits.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import type { RasterOutcome, Rasterizer } from '../../src/ports/rasterizer.js';
import { testRasterizer } from '../support/pictures.js';
import { ABORTING } from '../worker/hostile/drawings.js';

const FIXTURE = new URL('./raster-fixture.js', import.meta.url);
const OK = { ok: true };
const UNPROCESSABLE = { ok: false, code: 'unprocessable' };
const BUSY = { ok: false, code: 'busy' };

describe('drawing threads that fail', () => {
  let rasterizer: Rasterizer;
  let lost: unknown[];

  function open(limits: { threads: number; maxQueue: number; timeoutMs: number; silenceMs?: number }): void {
    lost = [];
    rasterizer = testRasterizer({ worker: FIXTURE, ...limits, onLoss: (reason) => lost.push(reason) });
  }

  function run(what: string): Promise<RasterOutcome> {
    return rasterizer.rasterize({ svg: what, width: 8, height: 8, format: 'png', quality: null });
  }

  afterEach(() => rasterizer.close());

  for (const hang of ['hang', 'native']) {
    it(`a job that hangs by "${hang}" loses its thread after its time limit, and the next one has another`, async () => {
      open({ threads: 1, maxQueue: 10, timeoutMs: 300 });
      expect(await run('wait 1')).to.include(OK);
      const started = Date.now();
      const [hung, next] = await Promise.all([run(hang), run('wait 1')]);
      expect(hung).to.include(UNPROCESSABLE);
      expect(hung).to.have.property('message').that.includes('300 ms');
      expect(next).to.include(OK);
      expect(Date.now() - started).to.be.within(300, 5000);
      expect(lost).to.have.length(1);
    });
  }

  it('a process that says nothing more is given up', async () => {
    open({ threads: 2, maxQueue: 10, timeoutMs: 100, silenceMs: 1500 });
    const [stopped, other] = await Promise.all([run('stop'), run('wait 1')]);
    expect(stopped).to.include(UNPROCESSABLE);
    expect(other).to.include(OK);
    expect(lost.join()).to.include('silent');
  });

  it('a process that cannot start is said to be busy, and is tried again', async () => {
    lost = [];
    rasterizer = testRasterizer({ worker: new URL('./no-such-file.js', import.meta.url), onLoss: (reason) => lost.push(reason) });
    for (const outcome of await Promise.all([run('wait 1'), run('wait 1')])) expect(outcome).to.include(BUSY);
    expect(await run('wait 1')).to.include(BUSY);
    expect(lost).to.have.length(2);
  });

  it('what made the renderer abort costs one picture', async () => {
    lost = [];
    rasterizer = testRasterizer({ onLoss: (reason) => lost.push(reason) });
    const plain = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
    const aborting = ABORTING.map(({ svg }) => (typeof svg === 'string' ? svg : svg()).replace('<svg ', '<svg width="8" height="8" '));
    const outcomes = await Promise.all([plain, ...aborting, plain].map(run));
    expect([outcomes[0]?.ok, outcomes.at(-1)?.ok]).to.deep.equal([true, true]);
    expect(outcomes[1]).to.include(UNPROCESSABLE);
    expect(lost).not.to.have.length(0);
  });

  it('waiting for a thread is not drawing time', async () => {
    open({ threads: 1, maxQueue: 10, timeoutMs: 400 });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => run('wait 150')));
    for (const outcome of outcomes) expect(outcome).to.include(OK);
  });

  for (const death of ['throw', 'exit', 'memory', 'abort']) {
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

describe('the drawing process', () => {
  it('does not outlive the service, even while it hangs', async () => {
    const service = fork(new URL('./raster-service-fixture.js', import.meta.url));
    const [host] = (await once(service, 'message')) as [number];
    service.kill('SIGKILL');
    for (let tries = 0; tries < 100 && isAlive(host); tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isAlive(host)).to.equal(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
