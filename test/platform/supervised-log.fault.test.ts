// In PM2's cluster mode, a process logs through `process.stdout`, so that PM2 can write the log to its own file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const FIXTURE = fileURLToPath(new URL('./supervised-log-fixture.js', import.meta.url));

describe('the log under a supervisor with cluster mode', () => {
  it('goes through process.stdout, not to descriptor 1', async () => {
    const child = spawn(process.execPath, [FIXTURE], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child, 'close');
    expect(output).to.match(/^supervised: \{.*"msg":"a line for the supervisor"\}\n$/);
  });
});
