// A drawing that hangs or crashes, in JavaScript or in native code, makes only its own job fail. Closing the rasterizer
// ends all running jobs.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mock } from 'node:test';
import { expect } from 'chai';
import type { RasterizeOutcome, Rasterizer } from '../../src/pictures/rasterizer.js';
import { eventually } from '../support/auth.js';
import { IS_WHOLE } from '../support/extent.js';
import { testRasterizer } from '../support/pictures.js';
import { ABORTING } from '../workers/hostile/drawings.js';

const FIXTURE = new URL('./rasterizer-fixture.js', import.meta.url);
const OK = { ok: true };
const TIMEOUT = { ok: false, failure: 'timeout' };
const CRASH = { ok: false, failure: 'crash' };
const SILENCE_MS = 60_000;
const DEATHS = IS_WHOLE
  ? ['throw', 'exit', 'memory', 'abort', 'lie', 'twice', 'large', 'null']
  : ['throw', 'abort', 'lie'];

describe('drawing processes that fail', () => {
  let rasterizer: Rasterizer;
  let lost: string[];

  function open(limits: { processes: number; timeoutMs: number; silenceMs?: number }): void {
    lost = [];
    rasterizer = testRasterizer({ worker: FIXTURE, ...limits, onLoss: (reason) => lost.push(reason) });
  }

  function run(what: string): Promise<RasterizeOutcome> {
    return rasterizer.rasterize({ svg: what, width: 8, height: 8, format: 'png', quality: null });
  }

  const ends = async (...jobs: readonly Promise<RasterizeOutcome>[]) =>
    (await Promise.all(jobs)).map((outcome) => (outcome.ok ? 'ok' : outcome.failure));

  async function processOf(what: string): Promise<string> {
    const outcome = await run(what);
    return outcome.ok ? Buffer.from(outcome.bytes).toString() : outcome.failure;
  }

  afterEach(() => rasterizer.close());

  it('end a job at its limit of processor time, and draw the next one in a new process', async () => {
    open({ processes: 1, timeoutMs: 300 });
    const first = await processOf('wait 1');
    const hung = await run('hang');
    expect(hung).to.include(TIMEOUT);
    expect(hung).to.have.property('message').that.includes('300 ms of processor time');
    expect(await processOf('wait 1'))
      .to.match(/^\d+$/)
      .and.not.equal(first);
    expect(lost).to.have.length(1);
  });

  it('do not count waiting as processor time', async () => {
    open({ processes: 1, timeoutMs: 300 });
    expect(await run('wait 900')).to.include(OK);
    expect(lost).to.deep.equal([]);
  });

  it('report the processor time of a job without its waiting', async () => {
    open({ processes: 1, timeoutMs: 10_000 });
    await run('wait 1');
    const outcome = await run('wait 800');
    expect(outcome).to.have.property('cpuMs').that.is.within(0, 400);
  });

  it('lose only the job that hangs', async () => {
    open({ processes: 3, timeoutMs: 400 });
    const before = await Promise.all(['wait 300', 'wait 300', 'wait 300'].map((what) => processOf(what)));
    const [hung, one, other] = await Promise.all([processOf('hang'), processOf('wait 1500'), processOf('wait 1500')]);
    expect(hung).to.equal('timeout');
    expect(before).to.include.members([one, other]);
    expect(lost).to.have.length(1);
  });

  for (const what of ['native', 'stop']) {
    it(`kill a process that is silent ("${what}")`, async () => {
      open({ processes: 2, timeoutMs: 100, silenceMs: SILENCE_MS });
      await Promise.all([run('wait 100'), run('wait 100')]);
      mock.timers.enable({ apis: ['setTimeout'] });
      const silent = run(what);
      expect(await run('wait 1')).to.include(OK);
      mock.timers.tick(SILENCE_MS);
      expect(await silent).to.include(TIMEOUT);
      mock.timers.reset();
      expect(lost.join()).to.include('did not respond');
      expect(await run('wait 1')).to.include(OK);
    });
  }

  it('reject jobs as busy when a process cannot start, and try again', async () => {
    lost = [];
    rasterizer = testRasterizer({
      worker: new URL('./no-such-file.js', import.meta.url),
      onLoss: (reason) => lost.push(reason),
    });
    expect(await ends(run('wait 1'), run('wait 1'))).to.deep.equal(['busy', 'busy']);
    expect(await ends(run('wait 1'))).to.deep.equal(['busy']);
    expect(lost.length).to.be.at.least(3);
  });

  it('recover when there are no file descriptors to start a process', async function () {
    if (process.platform !== 'linux') this.skip();
    open({ processes: 2, timeoutMs: 10_000 });
    const setLimit = (files: string): unknown =>
      spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${files}:`]);
    const limit = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '1024';
    setLimit(String(readdirSync('/proc/self/fd').length + 50));
    const taken: number[] = [];
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    } catch {
      expect(await ends(run('wait 1'), run('wait 1'))).to.deep.equal(['busy', 'busy']);
    } finally {
      for (const descriptor of taken) closeSync(descriptor);
      setLimit(limit);
    }
    expect(await ends(run('wait 1'), run('wait 1'))).to.deep.equal(['ok', 'ok']);
  });

  it('lose one picture when the rasterizer aborts', async () => {
    lost = [];
    rasterizer = testRasterizer({ processes: ABORTING.length + 2, onLoss: (reason) => lost.push(reason) });
    const plain = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
    const aborting = ABORTING.map(({ svg }) => svg().replace('<svg ', '<svg width="8" height="8" '));
    const outcomes = await Promise.all([plain, ...aborting, plain].map((svg) => run(svg)));
    expect([outcomes[0]?.ok, outcomes.at(-1)?.ok]).to.deep.equal([true, true]);
    expect(outcomes[1]).to.include(CRASH);
    expect(lost).not.to.have.length(0);
  });

  for (const death of DEATHS) {
    it(`lose one job if it ends its thread or process by "${death}"`, async () => {
      open({ processes: 2, timeoutMs: 10_000 });
      expect(await ends(run(death), run('wait 200'))).to.deep.equal(['crash', 'ok']);
      expect(lost).to.have.length(1);
      expect(await ends(run('wait 1'))).to.deep.equal(['ok']);
    });
  }

  it('draw as many at once as there are processes, and reject the others as busy', async () => {
    open({ processes: 2, timeoutMs: 10_000 });
    for (let round = 0; round < 2; round++) {
      const outcomes = await ends(...Array.from({ length: 5 }, () => run('wait 50')));
      expect(outcomes).to.deep.equal(['ok', 'ok', 'busy', 'busy', 'busy']);
    }
  });

  it('ignore a second reply for the next job', async () => {
    open({ processes: 1, timeoutMs: 10_000 });
    expect(await run('repeat')).to.deep.include({ failure: 'rejected', message: 'first' });
    await eventually(() => lost.length > 0, 'end of the process');
    expect(await processOf('wait 1')).to.match(/^\d+$/);
  });

  it('use one process while one is enough', async () => {
    open({ processes: 3, timeoutMs: 10_000 });
    const used = new Set<string>();
    for (let round = 0; round < 5; round++) used.add(await processOf('wait 1'));
    expect(used.size).to.equal(1);
  });

  it('finish started jobs on close, and reject later ones', async () => {
    open({ processes: 3, timeoutMs: 10_000 });
    const outcomes = [run('wait 5000'), run('wait 5000'), run('wait 5000')];
    await new Promise((resolve) => setTimeout(resolve, 200));
    await rasterizer.close();
    expect(await ends(...outcomes, run('wait 1'))).to.deep.equal(['busy', 'busy', 'busy', 'busy']);
  });
});

describe('the drawing process', () => {
  it('does not outlive the service, even while it hangs', async () => {
    const service = fork(new URL('./rasterizer-service-fixture.js', import.meta.url));
    const [host] = (await once(service, 'message')) as [number];
    service.kill('SIGKILL');
    await eventually(() => !isAlive(host), 'end');
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
