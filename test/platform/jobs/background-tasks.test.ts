// Background tasks: work after the response.
import { expect } from 'chai';
import { createBackgroundTasks } from '../../../src/platform/jobs/background-tasks.js';

describe('deferred tasks', () => {
  it('does not begin in the ticks after the answer, and has ended when `settle` resolves', async () => {
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    const done: string[] = [];
    expect(background.defer(async () => void done.push('deferred'))).to.equal(true);
    background.start(async () => void done.push('started'));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(done).to.deep.equal(['started']);
    await background.settle();
    expect(done).to.deep.equal(['started', 'deferred']);
  });

  it('start without `settle`', async () => {
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    await new Promise<void>((resolve) => background.defer(async () => resolve()));
  });

  it('are rejected beyond a thousand, and no accepted task is lost', async () => {
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    let [taken, done] = [0, 0];
    for (let index = 0; index < 1200; index++) if (background.defer(async () => void (done += 1))) taken++;
    expect(taken).to.equal(1000);
    await background.settle();
    expect(done).to.equal(1000);
    expect(
      background.defer(async () => undefined),
      'there is room again',
    ).to.equal(true);
    await background.settle();
  });

  it('report errors, and still settle', async () => {
    const problems: unknown[] = [];
    const background = createBackgroundTasks((error) => problems.push(error));
    background.defer(() => Promise.reject(new Error('no')));
    await background.settle();
    expect(problems.map(String)).to.deep.equal(['Error: no']);
  });
});
