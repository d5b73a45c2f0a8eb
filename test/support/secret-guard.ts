// The watch over the secrets of this run; its findings fail the run after all tests.
import { openSecretWatch } from './secret-watch.js';

let test = '';

export const secretWatch = openSecretWatch(() => (test === '' ? '' : `, after "${test}"`));

// Processes that tests start have no mocha. Where there is one, this is the root: no suite has been opened when modules
// load.
if ('beforeEach' in globalThis) {
  beforeEach(function () {
    test = this.currentTest?.fullTitle() ?? '';
  });

  after('no secret was left behind', () => {
    const findings = secretWatch.findings();
    process.stdout.write(`\n  ${secretWatch.summary()}\n`);
    if (findings.length > 0) throw new Error(`secrets were left behind:\n${findings.join('\n')}`);
  });
}
