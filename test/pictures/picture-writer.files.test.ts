// Writing of picture files when the writer thread fails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { openPictureWriter } from '../../src/pictures/picture-writer.files.js';
import { temporaryDir } from '../support/temporary.js';

const content = () => [new Uint8Array(12).fill(6), new Uint8Array(988).fill(7)];

describe('PictureWriter', () => {
  let path: string;
  let remove: () => void;
  beforeEach(() => ({ path, remove } = temporaryDir()));
  afterEach(() => remove());

  it('rejects waiting work each time if its thread cannot start, and can be closed', async () => {
    const writer = openPictureWriter(2 ** 24, pathToFileURL(join(path, 'nothing.js')));
    for (let time = 0; time < 3; time++) {
      const written = Promise.resolve(writer.write(join(path, 'a', 'b'), content()));
      const both = [written, writer.sweep(sweepOf(path))];
      const outcomes = await Promise.allSettled(both);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    }
    await writer.close();
  });

  it('writes after a failure, including pictures that arrived meanwhile', async () => {
    const writer = openPictureWriter(2 ** 24);
    const failing = writer.sweep(sweepOf(join(path, 'nothing')));
    const written = Promise.resolve(writer.write(join(path, 'a', 'b'), content()));
    const outcomes = await Promise.allSettled([failing, written]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
    expect(readFileSync(join(path, 'a', 'b'))).to.have.length(1000);
    await writer.close();
  });

  const sweepOf = (folder: string) => ({ folder, maxBytes: 1, keptBytes: 1, nowMs: Date.now() });
});
