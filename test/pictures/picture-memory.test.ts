// Memory of pictures that are being made or sent: its limit, the shares of accounts and of clients without an account,
// and when the memory is released.
import { expect } from 'chai';
import { createPictureMemory } from '../../src/pictures/picture-memory.js';
import type { PictureClient } from '../../src/pictures/rasterize-request.js';
import { someClient } from '../support/pictures.js';

const MB = 2 ** 20;

interface TestClient extends PictureClient {
  /** Releases the memory, as if the response had been sent or the client had left the queue. */
  answered(): void;
}

function client(fairnessKey: string, isStranger = false): TestClient {
  const acts: (() => void)[] = [];
  return {
    ...someClient(fairnessKey),
    isStranger,
    onceAnswered: (act) => void acts.push(act),
    answered: () => acts.splice(0).forEach((act) => act()),
  };
}

const stranger = (address: string): TestClient => client(address, true);

describe('the memory of pictures in progress', () => {
  it('never exceeds its limit for any clients', () => {
    const memory = createPictureMemory(64 * MB);
    for (let n = 0; n < 1000; n++) memory.take(n % 3 === 0 ? stranger(`address ${n}`) : client(`account ${n % 7}`), MB);
    expect(memory.taken())
      .to.be.above(56 * MB)
      .and.at.most(64 * MB);
    expect(memory.take(client('new'), 65 * MB)).to.equal(false);
  });

  it('leaves others as much as one account takes, but always allows one picture', () => {
    const memory = createPictureMemory(64 * MB);
    const greedy = client('greedy');
    let taken = 0;
    while (memory.take(greedy, MB)) taken++;
    expect(taken).to.equal(32);
    expect(memory.take(client('other'), 30 * MB)).to.equal(true);
    expect(memory.take(client('other'), MB)).to.equal(false);
    expect(memory.take(client('third'), 2 * MB)).to.equal(true);
    expect(memory.take(client('fourth'), MB)).to.equal(false);
    memory.free(greedy, 32 * MB);
    expect(memory.take(client('other'), MB)).to.equal(true);
  });

  it('gives an eighth to all strangers together, and half of that to a single one', () => {
    const memory = createPictureMemory(64 * MB);
    let taken = 0;
    while (memory.take(stranger('192.0.2.1'), MB)) taken++;
    expect(taken).to.equal(4);
    for (let n = 0; n < 100; n++) memory.take(stranger(`address ${n}`), MB);
    expect(memory.taken()).to.equal(8 * MB);
    memory.free(stranger('192.0.2.1'), 4 * MB);
    expect(memory.take(stranger('198.51.100.1'), MB)).to.equal(true);
  });

  it('keeps a body until the last client of the account has it, counted once', () => {
    const memory = createPictureMemory(64 * MB);
    const body = new Uint8Array(20 * MB);
    const [one, two, other] = [client('a'), client('a'), client('b')];
    expect([one, two, other].map((each) => memory.hold(each, body))).to.deep.equal([true, true, true]);
    expect(memory.taken()).to.equal(40 * MB);
    expect(memory.hold(client('a'), new Uint8Array(20 * MB)), 'another body').to.equal(false);
    one.answered();
    expect(memory.taken()).to.equal(40 * MB);
    two.answered();
    expect(memory.taken()).to.equal(20 * MB);
    other.answered();
    expect(memory.taken()).to.equal(0);
    expect(memory.hold(one, body)).to.equal(true);
  });

  it('counts a text once per client, and ignores data that the system accepts immediately', () => {
    const memory = createPictureMemory(64 * MB);
    const text = 'x'.repeat(MB);
    for (const each of [client('a'), client('a')]) memory.hold(each, text);
    expect(memory.taken()).to.equal(2 * MB);
    memory.hold(client('a'), 'x'.repeat(1000));
    expect(memory.taken()).to.equal(2 * MB);
  });
});
