// Command that writes everything that is stored into one file (`npm run backup -- FILE`).
import { existsSync, statSync } from 'node:fs';
import { backup } from '../compose/transfer-tools.js';
import { createProgram, fail, print, runCommand } from './command.js';
import { transferProgress } from './transfer-report.js';

const program = createProgram(
  'backup',
  'Writes everything that is stored into a new file, a SQLite database. May run beside the service. JWT_SECRET is not in it.',
)
  .argument('<file>', 'a file that does not exist')
  .addHelpText('after', '\nExample: npm run backup -- /backup/blazon.sqlite')
  .action((file: string) =>
    runCommand(async (env) => {
      if (existsSync(file)) fail(`${file} exists; choose another name.`);
      const progress = transferProgress();
      await backup(env, file, progress.show).finally(progress.stop);
      print(`${file}: ${Math.ceil(statSync(file).size / 1_000_000)} MB.`);
    }),
  );

export default program;
