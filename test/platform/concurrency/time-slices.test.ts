// Long work that is divided into slices, so that other requests are served between them. The tests sort lists, and let
// several callers take turns.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  createSlice,
  createTurns,
  finish,
  sorted,
  type Steps,
  STEPS_PER_SLICE,
} from '../../../src/platform/concurrency/time-slices.js';

describe('computations in steps', () => {
  it('sort as Array.sort does, which is stable', () => {
    const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.nat()), { maxLength: 400 });
    fc.assert(
      fc.property(items, (list) => {
        const byFirst = ([one]: readonly number[], [other]: readonly number[]): number => (one ?? 0) - (other ?? 0);
        expect(finish(sorted(list, byFirst))).to.deep.equal([...list].sort(byFirst));
      }),
    );
  });

  it('yield after a thousand steps at most', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 50_000);
    let comparisons = 0;
    let longest = 0;
    const steps = sorted(many, (one, other) => {
      comparisons++;
      return one - other;
    });
    for (let done = false; !done;) {
      const before = comparisons;
      done = steps.next().done === true;
      longest = Math.max(longest, comparisons - before);
    }
    expect(longest).to.be.at.most(2 * STEPS_PER_SLICE);
    const isOver = createSlice();
    expect([isOver(STEPS_PER_SLICE - 1), isOver(), isOver(), isOver(5000), isOver()]).to.deep.equal([
      false,
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('turns of the event loop', () => {
  const inIteration = () => {
    let iteration = 0;
    let isCounting = true;
    const count = (): void => {
      iteration++;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    return { now: () => iteration, stop: () => (isCounting = false) };
  };

  it('run one slice per iteration, so that other work is served in between', async () => {
    const turns = createTurns();
    const { now, stop } = inIteration();
    const at: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, () =>
        turns
          .of('one')()
          .then(() => at.push(now())),
      ),
    );
    stop();
    expect(new Set(at).size).to.equal(20);
  });

  it("serve callers in rotation: a backlog of one delays another's first turn by one", async () => {
    const turns = createTurns();
    const order: string[] = [];
    const turn = (caller: string) =>
      turns
        .of(caller)()
        .then(() => order.push(caller));
    await Promise.all([...Array.from({ length: 9 }, () => turn('many')), turn('few'), turn('few')]);
    expect(order.slice(0, 4)).to.deep.equal(['many', 'few', 'many', 'few']);
    expect(order).to.have.length(11);
  });

  it('prefer started work to other work of its caller', async () => {
    const turns = createTurns();
    const order: string[] = [];
    const work = async (name: string) => {
      const turn = turns.of('one');
      for (let slice = 0; slice < 3; slice++) {
        await turn();
        order.push(name);
      }
    };
    await Promise.all([work('a'), work('b')]);
    expect(order.join('')).to.equal('aaabbb');
  });

  it('run a computation slice by slice, and reject with its error', async () => {
    const turns = createTurns();
    const { now, stop } = inIteration();
    const at: number[] = [];
    function* counting(): Steps<string> {
      for (let slice = 0; slice < 5; slice++) {
        at.push(now());
        yield;
      }
      return 'done';
    }
    expect(await turns.run('one', counting())).to.equal('done');
    stop();
    expect(new Set(at).size).to.equal(5);
    // oxlint-disable-next-line require-yield
    const failing = function* (): Steps<never> {
      throw new Error('no');
    };
    expect(await turns.run('one', failing()).catch(String)).to.equal('Error: no');
    expect(await turns.run('one', counting())).to.equal('done');
  });
});
