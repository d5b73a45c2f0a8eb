// Entry point of the commands: `node dist/src/cli/main.js account list` is `npm run account -- list` and `blazon
// account list`.
import { runExecutable } from './commands.js';

// If the service started this process for the first import, the process ends with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

process.exitCode = await runExecutable(process.argv.slice(2));
