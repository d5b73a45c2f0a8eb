// Entry of the commands: `node dist/src/cli/main.js account list` is `npm run account -- list`.
import { runProgram } from './command.js';
import { COMMANDS, isCommandName } from './commands.js';

// Started by the service for the first import, it ends with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

const [name = '', ...words] = process.argv.slice(2);
if (isCommandName(name)) {
  process.exitCode = await runProgram((await COMMANDS[name]()).default, words);
} else {
  console.error(`The first argument is the name of a command: ${Object.keys(COMMANDS).join(', ')}.`);
  process.exitCode = 1;
}
