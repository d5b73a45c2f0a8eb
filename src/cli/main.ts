// Entry point of the commands. `npm run account -- list` and `blazon account list` start it with the arguments `account
// list`.
import { runExecutable } from './commands.js';

// If the service has started this process for an import, this process must end together with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

process.exitCode = await runExecutable(process.argv.slice(2));
