// Throttle: it admits a few waiting requests in each iteration of the event loop.
import { expect } from 'chai';
import type { Context } from 'koa';
import { createThrottle } from '../../../src/serving/throttle.js';

const PER_TURN = 3;
const CONTEXT = { req: { socket: {} } } as unknown as Context;

type NextTurn = (enter?: () => void) => Promise<unknown>;

function createTurns(perTurn: number): NextTurn {
  const throttle = createThrottle(perTurn);
  return (enter) => Promise.resolve(throttle(CONTEXT, async () => enter?.()));
}

const nextImmediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Waits until each admitted request has called its function. */
const microtasks = (): Promise<void> => new Promise((resolve) => process.nextTick(() => queueMicrotask(resolve)));

describe('turns', () => {
  it('admit the first immediately and the others in order, with a limit per turn', async () => {
    const nextTurn = createTurns(PER_TURN);
    const entered: number[] = [];
    const enter = (who: number) => nextTurn(() => void entered.push(who));
    const crowd = Array.from({ length: 10 }, (_, who) => enter(who));
    await microtasks();
    const counts = [entered.length];
    while (entered.length < 10) {
      await nextImmediate();
      counts.push(entered.length);
    }
    await Promise.all(crowd);
    expect(counts[0]).to.equal(PER_TURN);
    expect(entered).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const [index, count] of counts.entries()) expect(count - (counts[index - 1] ?? 0)).to.be.at.most(PER_TURN);
  });

  it('are limited for newcomers while others wait', async () => {
    const nextTurn = createTurns(1);
    const entered: string[] = [];
    const enter = (who: string) => nextTurn(() => void entered.push(who));
    const early = ['a', 'b', 'c'].map(enter);
    await nextImmediate();
    await Promise.all([...early, enter('late')]);
    expect(entered).to.deep.equal(['a', 'b', 'c', 'late']);
  });

  it('are free again after a turn without requests', async () => {
    const nextTurn = createTurns(1);
    await Promise.all([nextTurn(), nextTurn(), nextTurn()]);
    await nextImmediate();
    await nextImmediate();
    let isIn = false;
    void nextTurn(() => (isIn = true));
    await microtasks();
    expect(isIn).to.equal(true);
  });
});
