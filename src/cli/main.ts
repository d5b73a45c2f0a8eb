// Entry of the commands: `node dist/src/cli/main.js account list` is `npm run account -- list`.
import type { Command } from 'commander';
import { runProgram } from './command.js';

/** Loaded when they run: each has libraries that others do not need. */
const COMMANDS: Readonly<Record<string, () => Promise<{ readonly default: Command }>>> = {
  account: () => import('./account.js'),
  billing: () => import('./billing.js'),
  catalog: () => import('./catalog.js'),
  counters: () => import('./counters.js'),
  doctor: () => import('./doctor.js'),
  jobs: () => import('./jobs.js'),
};

// Started by the service for the first import, it ends with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

const [name = '', ...words] = process.argv.slice(2);
const load = COMMANDS[name];
if (load) {
  process.exitCode = await runProgram((await load()).default, words);
} else {
  console.error(`The first argument is the name of a command: ${Object.keys(COMMANDS).join(', ')}.`);
  process.exitCode = 1;
}
