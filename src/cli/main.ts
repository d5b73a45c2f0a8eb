// Entry of the commands: `node dist/src/cli/main.js account list` is `npm run account -- list`.
import { EXIT_USAGE } from './command.js';
import { COMMANDS, isCommandName, runCommand } from './commands.js';

// Started by the service for the first import, it ends with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

const [name = '', ...words] = process.argv.slice(2);
if (isCommandName(name)) {
  process.exitCode = await runCommand(name, words);
} else {
  console.error(`The first argument is the name of a command: ${Object.keys(COMMANDS).join(', ')}.`);
  process.exitCode = EXIT_USAGE;
}
