// Processes of the sanitizer. A drawing that crashes or hangs a process is rejected, and other drawings do not fail.
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { openSanitizer } from '../../src/catalog/sanitizer.worker.js';
import { eventually } from '../support/auth.js';
import { ABORTING } from './hostile/drawings.js';

function sanitizerPids(): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'sanitize/process-entry'], {
    encoding: 'utf8',
  });
  return stdout.split('\n').filter(Boolean).map(Number);
}

describe('openSanitizer', () => {
  const good = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24v24H0z"/></svg>';

  it('rejects a drawing that aborts the rasterizer, and answers all others in order', async () => {
    const sanitizer = openSanitizer({ processes: 2 });
    const aborting = ABORTING.map(({ svg }) => svg());
    const batches = await Promise.all([
      sanitizer.sanitize([good, ...aborting, good]),
      sanitizer.sanitize(Array.from({ length: 50 }, () => good)),
    ]);
    await sanitizer.close();
    const [mixed, plain] = batches;
    expect(mixed).to.have.length(aborting.length + 2);
    expect([mixed[0]?.ok, mixed.at(-1)?.ok]).to.deep.equal([true, true]);
    ABORTING.forEach(({ name }, index) => expect(mixed[index + 1], name).to.include({ ok: false }));
    expect(plain.every(({ ok }) => ok)).to.equal(true);
  });

  it('makes the painted form of a drawing with blurs on request', async () => {
    const sanitizer = openSanitizer({ processes: 1 });
    const filter = '<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>';
    const shapes = '<path fill="#f00" d="M30 30h40v40z"/><circle fill="#00f" cx="50" cy="50" r="20" filter="url(#f)"/>';
    const blurred = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${filter}${shapes}</svg>`;
    const outcomes = await sanitizer.sanitize(Array<string>(3).fill(blurred), ['nothing', 'painted', 'look']);
    await sanitizer.close();
    const made = outcomes.map((one) => one.ok && [one.painted?.includes('<image '), one.look !== undefined]);
    expect(made).to.deep.equal([
      [undefined, false],
      [true, false],
      [true, true],
    ]);
  });

  it('waits for a process that gets no processor time', async () => {
    const sanitizer = openSanitizer({ processes: 1, drawingTimeoutMs: 300 });
    await sanitizer.sanitize([good]);
    const pids = sanitizerPids();
    expect(pids).to.have.length(1);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const waiting = sanitizer.sanitize([good]);
    await setTimeout(800);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    expect((await waiting)[0]).to.include({ ok: true });
    expect(sanitizerPids()).to.deep.equal(pids);
    await sanitizer.close();
  });

  it('leaves no process behind', async () => {
    const sanitizer = openSanitizer({ processes: 2 });
    await Promise.all([sanitizer.sanitize([good]), sanitizer.sanitize([good])]);
    await sanitizer.close();
    await eventually(() => !process.getActiveResourcesInfo().includes('ProcessWrap'), 'end of processes');
  });
});
