// Entry point of the commands. `npm run account -- list` and `blazon account list` start it with the arguments `account
// list`.
import { runExecutable } from './commands.js';

// The service may have started this process, for the first import of the catalog. This process must then end together
// with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

process.exitCode = await runExecutable(process.argv.slice(2));
