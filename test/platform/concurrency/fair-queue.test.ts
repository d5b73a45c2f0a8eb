// Fair queue: running items, waiting items, and their order.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFairQueue, type FairQueue } from '../../../src/platform/concurrency/fair-queue.js';
import { rejection } from '../../support/account-services.js';

interface Task {
  readonly key: string;
  state: 'waiting' | 'running' | 'done' | 'rejected';
  /** Ends the work of this task. `well` resolves the work, and `badly` rejects it. */
  readonly end: (how: 'well' | 'badly') => void;
  readonly work: Promise<void>;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Returns functions that control the tasks of a queue, and lists of the tasks: `tasks` in the order of arrival, `begun`
 * in the order of their starts.
 */
function stageOf(queue: FairQueue) {
  const tasks: Task[] = [];
  const begun: Task[] = [];
  const outcomes = new Map<Task, Promise<unknown>>();

  async function outcomeOf(task: Task): Promise<unknown> {
    const code = await rejection(
      queue.run(task.key, () => {
        expect(task.state, 'begun once').to.equal('waiting');
        task.state = 'running';
        begun.push(task);
        return task.work;
      }),
    );
    expect(task.state).to.equal(code === 'busy' ? 'waiting' : 'running');
    task.state = code === 'busy' ? 'rejected' : 'done';
    return code;
  }

  function arrive(key: string): Task {
    let settle: Task['end'] = () => undefined;
    const work = new Promise<void>(
      (resolve, reject) => (settle = (how) => (how === 'well' ? resolve() : reject(new Error('no')))),
    );
    const task: Task = { key, state: 'waiting', end: settle, work };
    tasks.push(task);
    outcomes.set(task, outcomeOf(task));
    return task;
  }

  const being = (state: Task['state'], key?: string): Task[] =>
    tasks.filter((task) => task.state === state && (key === undefined || task.key === key));
  return { tasks, begun, outcomes, arrive, being };
}

describe('fair queue', () => {
  /** Creates a queue and adds one item for each key, in this order. `keys` is a list such as `a b`. */
  async function queued(keys: string, { atOnce = 1, maxWaiting = 4 } = {}) {
    const queue = createFairQueue({ atOnce, maxWaiting });
    const stage = stageOf(queue);
    for (const key of keys.split(' ')) stage.arrive(key);
    await settled();
    return { queue, ...stage };
  }

  /** Ends the tasks one at a time. Returns the keys in the order in which their tasks started. */
  async function servings({ being, begun }: Pick<ReturnType<typeof stageOf>, 'being' | 'begun'>): Promise<string> {
    for (let running = being('running'); running.length > 0; running = being('running')) {
      running[0]?.end('well');
      await settled();
    }
    return begun.map(({ key }) => key).join(' ');
  }

  it('gives a single key all places', async () => {
    const { being, queue } = await queued('a a a a a a a', { atOnce: 2 });
    expect([being('running').length, being('waiting').length, being('rejected').length]).to.deep.equal([2, 4, 1]);
    expect(queue.isFull('a')).to.equal(true);
  });

  it('serves keys in rotation, and the items of one in order', async () => {
    const stage = await queued('a a a a b b c', { maxWaiting: 9 });
    expect(await servings(stage)).to.equal('a a b c a b a');
    expect(stage.begun.filter(({ key }) => key === 'a')).to.deep.equal(stage.tasks.filter(({ key }) => key === 'a'));
  });

  it('drops the newest item of the largest key in a full queue for a key with fewer, until shares are even', async () => {
    const { tasks, queue, arrive, being, outcomes } = await queued('a a a a a b');
    expect(being('rejected')).to.deep.equal([tasks[4]]);
    expect(queue.isFull('b')).to.equal(false);
    arrive('b');
    await settled();
    expect(being('rejected')).to.deep.equal([tasks[3], tasks[4]]);
    expect([queue.isFull('a'), queue.isFull('b'), queue.isFull('c')]).to.deep.equal([true, true, false]);
    expect(await outcomes.get(arrive('b'))).to.equal('busy');
  });

  it('drops no item if all keys have as few', async () => {
    const { being, arrive, queue, outcomes } = await queued('z a b c d');
    expect(queue.isFull('e')).to.equal(true);
    expect(await outcomes.get(arrive('e'))).to.equal('busy');
    expect(being('waiting')).to.have.length(4);
  });

  it('drops from the key that is served last, if they are equal', async () => {
    const { tasks, being } = await queued('z a a b b c');
    expect(being('rejected')).to.deep.equal([tasks[4]]);
  });

  it('frees the place of an aborted waiting item, and starts the others in order', async () => {
    const { queue, tasks, begun, arrive, being } = await queued('a a b');
    const leaving = new AbortController();
    const reason = new Error('left');
    const left: Promise<unknown> = queue
      .run('b', () => Promise.resolve(), leaving.signal)
      .catch((error: unknown) => error);
    leaving.abort(reason);
    expect(await left).to.equal(reason);
    // The aborted item no longer occupies the queue: two of the four places are occupied.
    for (const key of ['c', 'd']) arrive(key);
    await settled();
    expect(being('rejected')).to.deep.equal([]);
    for (const task of tasks) {
      task.end('well');
      await settled();
    }
    expect(begun.map(({ key }) => key)).to.deep.equal(['a', 'a', 'b', 'c', 'd']);
  });

  it('rejects an item with an aborted signal, and lets a started one finish', async () => {
    const queue = createFairQueue({ atOnce: 1, maxWaiting: 1 });
    const reason = new Error('left');
    const rejected: unknown = await queue
      .run('a', () => Promise.resolve('done'), AbortSignal.abort(reason))
      .catch((error: unknown) => error);
    expect(rejected).to.equal(reason);
    const leaving = new AbortController();
    const finished = queue.run('a', () => settled().then(() => 'done'), leaving.signal);
    leaving.abort(reason);
    expect(await finished).to.equal('done');
  });

  it('continues after work that fails', async () => {
    const { tasks, being, outcomes } = await queued('a b');
    tasks[0]?.end('badly');
    expect(await outcomes.get(tasks[0]!)).to.be.an('error');
    await settled();
    expect(being('running')).to.deep.equal([tasks[1]]);
  });

  it('keeps its bounds and its fairness for any order of arrivals and ends', async () => {
    const KEYS = ['a', 'b', 'c', 'd', 'e'];
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('arrive' as const),
          key: fc.constantFrom('a', 'a', 'a', ...KEYS),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('end' as const),
          which: fc.nat(10),
          how: fc.constantFrom('well' as const, 'well' as const, 'badly' as const),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 120 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 8 }),
        async (steps, atOnce, maxWaiting) => {
          const queue = createFairQueue({ atOnce, maxWaiting });
          const { tasks, begun, outcomes, arrive, being } = stageOf(queue);
          /**
           * Key of a waiting task → number of tasks of other keys that have started since this key began to wait, or
           * since the last task of this key started.
           */
          const passedOver = new Map<string, number>();
          let known = 0;

          const look = (): void => {
            for (const { key } of begun.slice(known)) {
              for (const [other, count] of passedOver) passedOver.set(other, other === key ? 0 : count + 1);
            }
            known = begun.length;
            for (const key of KEYS) {
              const line = being('waiting', key);
              if (line.length === 0) passedOver.delete(key);
              else passedOver.set(key, passedOver.get(key) ?? 0);
              expect(passedOver.get(key) ?? 0, 'served before').to.be.at.most(KEYS.length - 1);
              const own = tasks.filter((task) => task.key === key);
              expect(begun.filter((task) => task.key === key)).to.deep.equal(
                own.filter((task) => task.state === 'running' || task.state === 'done'),
              );
            }
            const waiting = being('waiting');
            const running = being('running');
            expect(running.length).to.be.at.most(atOnce);
            expect(waiting.length).to.be.at.most(maxWaiting);
            if (waiting.length > 0) expect(running.length, 'running while others wait').to.equal(atOnce);
          };

          for (const one of steps) {
            if (one.kind === 'end') {
              const running = being('running');
              running[one.which % running.length]?.end(one.how);
              await settled();
            } else {
              const shares = new Map(KEYS.map((key) => [key, being('waiting', key).length]));
              const rejectedBefore = being('rejected').length;
              const full = queue.isFull(one.key);
              const task = arrive(one.key);
              await settled();
              expect(task.state === 'rejected', 'as isFull foretold').to.equal(full);
              const displaced = being('rejected').length - rejectedBefore - Number(full);
              for (const [key, share] of shares) {
                const lost = share - being('waiting', key).filter((other) => other !== task).length;
                expect(lost, 'lost places').to.equal(lost === 0 ? 0 : displaced);
                if (lost > 0)
                  expect(share, 'more than the newcomer has now')
                    .to.be.above((shares.get(one.key) ?? 0) + 1)
                    .and.equal(Math.max(...shares.values()));
              }
            }
            look();
          }

          for (let running = being('running'); running.length > 0; running = being('running')) {
            for (const task of running) task.end('well');
            await settled();
            look();
          }
          expect(being('waiting')).to.deep.equal([]);
          await Promise.all(outcomes.values());
          expect(being('done')).to.have.length(begun.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});
