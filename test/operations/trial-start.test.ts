// Trial start of the service. Here the service never becomes ready, and must be killed when the command is interrupted.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tryStart } from '../../src/operations/trial-start.js';
import { eventually } from '../support/auth.js';
import { temporaryDir } from '../support/temporary.js';

const NEVER_READY = `
  import { writeFileSync } from 'node:fs';
  import { createServer } from 'node:http';
  createServer((_, response) => response.writeHead(503).end()).listen(process.env.PORT, () =>
    writeFileSync('begun', process.pid + ' ' + process.argv.slice(2)));`;

describe('the trial start', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    it(`stops its service on ${signal}, which runs no jobs`, async () => {
      const { path: folder, remove } = temporaryDir();
      const script = join(folder, 'main.mjs');
      const begun = join(folder, 'begun');
      writeFileSync(script, NEVER_READY);
      const listeners = process.listenerCount(signal);
      const trial = tryStart({ folder, script, variables: {}, path: '/readyz', limitMs: 60_000 });
      await eventually(() => existsSync(begun) && readFileSync(begun, 'utf8').includes(' '), 'begin');
      const [pid, ...words] = readFileSync(begun, 'utf8').split(' ');
      expect(words).to.deep.equal(['--trial']);
      process.emit(signal, signal);
      expect(await trial).to.deep.equal({ reason: 'was ended by SIGKILL', output: '' });
      expect(() => process.kill(Number(pid), 0)).to.throw('ESRCH');
      expect(process.listenerCount(signal)).to.equal(listeners);
      remove();
    });
});
