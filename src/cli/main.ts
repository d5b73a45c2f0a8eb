// Entry of the commands: `node dist/src/cli/main.js account list` is `npm run account -- list` and `blazon account list`.
import { runExecutable } from './commands.js';

// Started by the service for the first import, it ends with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

process.exitCode = await runExecutable(process.argv.slice(2));
