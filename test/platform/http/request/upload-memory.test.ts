// Memory of uploads: limits by account and in total, and the choice of the upload that is aborted at a limit.
import { expect } from 'chai';
import { createUploadMemory, type Upload } from '../../../../src/platform/http/request/upload-memory.js';

const MAX_BYTES = 100;
const MAX_OF_OWNER = 2;

describe('memory of uploads', () => {
  let nowMs: number;
  let ended: string[];
  let memory: ReturnType<typeof createUploadMemory>;
  beforeEach(() => {
    [nowMs, ended] = [0, []];
    memory = createUploadMemory({ maxBytes: MAX_BYTES, now: () => nowMs });
  });
  const open = (name: string, owner = name): Upload =>
    memory.open(owner, MAX_OF_OWNER, ({ code }) => ended.push(`${name} ${code}`));

  it('is not used by uploads before their first byte', () => {
    for (let at = 0; at < 1000; at++) open(`idle ${at}`);
    const upload = open('a');
    upload.received(MAX_BYTES);
    expect([ended, memory.heldBytes()]).to.deep.equal([[], MAX_BYTES]);
    upload.close();
    expect(memory.heldBytes()).to.equal(0);
  });

  it('is limited for the uploads of one account', () => {
    const [first] = [open('a1', 'a'), open('a2', 'a')] as const;
    expect(() => open('a3', 'a'))
      .to.throw()
      .with.property('code', 'busy');
    open('b');
    first.close();
    open('a3', 'a');
    expect(ended).to.deep.equal([]);
  });

  it('is taken from the upload that stalls, even if it was the fastest before', () => {
    const stalled = open('stalled');
    stalled.received(90);
    const slow = open('slow');
    for (; nowMs < 20_000; nowMs += 1000) slow.received(1);
    expect(ended).to.deep.equal(['stalled busy']);
    expect(memory.heldBytes()).to.equal(20);
    // The aborted upload no longer holds memory, so more bytes from it must not count.
    stalled.received(MAX_BYTES);
    stalled.close();
    expect(memory.heldBytes()).to.equal(20);
  });

  it('is taken from as many uploads as needed, including very slow ones', () => {
    const names = ['a', 'b', 'c'];
    const stalled = names.map((name) => open(name));
    for (const upload of stalled) upload.received(28);
    for (; nowMs < 10_000; nowMs += 1000) for (const upload of stalled) upload.received(nowMs % 5000 === 0 ? 1 : 0);
    expect(ended).to.deep.equal([]);
    open('new').received(95);
    expect(ended.sort()).to.deep.equal(names.map((name) => `${name} busy`));
  });

  it('is kept by complete uploads until they are answered', () => {
    const complete = open('complete');
    complete.received(60);
    complete.complete();
    nowMs = 20_000;
    const next = open('next');
    next.received(41);
    expect(ended).to.deep.equal(['next busy']);
    complete.close();
    next.close();
    open('last').received(MAX_BYTES);
    expect(ended).to.have.length(1);
  });
});
