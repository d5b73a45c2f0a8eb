// Two processes of Node's cluster module. In the worker, `process.stdout.write` is replaced, like under PM2. The
// fixture prints the text that the worker writes through this replacement.
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../src/platform/log.js';

if (cluster.isPrimary) {
  cluster.fork().on('message', (text: string) => process.stdout.write(text));
} else {
  let written = '';
  process.stdout.write = (text: string | Uint8Array) => {
    written += String(text);
    return true;
  };
  createLog({ LOG_LEVEL: 'info' }).info('a line for the supervisor');
  await sleep(500);
  process.send?.(`supervised: ${written}`, () => process.exit(0));
}
