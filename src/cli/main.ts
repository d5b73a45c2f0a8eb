// Entry point of the commands. `npm run account -- list` and `blazon account list` start it with the arguments `account
// list`.
import { runExecutable } from './commands.js';

// The service starts this process for the first import. If the service ends, this process must end, too.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

process.exitCode = await runExecutable(process.argv.slice(2));
