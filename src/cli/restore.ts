// Command that puts a backup in place (`npm run restore -- FILE`).
import { restore, snapshotFault } from '../compose/transfer-tools.js';
import { createProgram, fail, print, runCommand } from './command.js';
import { printReport, transferProgress } from './transfer-report.js';

const program = createProgram(
  'restore',
  'Puts a backup in place: into DATA_DIR, or into the cluster that the environment names. No process may serve meanwhile.',
)
  .argument('<file>', 'made by backup')
  .option('--replace', 'keep a database that is in DATA_DIR under another name')
  .addHelpText('after', '\nExample: npm run restore -- /backup/blazon.sqlite --replace')
  .action((file: string, { replace = false }: { readonly replace?: boolean }) =>
    runCommand(async (env) => {
      const fault = snapshotFault(file);
      if (fault !== undefined) fail(`${file} cannot be restored: ${fault}.`);
      const progress = transferProgress();
      const report = await restore(env, file, { replace, onProgress: progress.show }).finally(progress.stop);
      printReport(report);
      print(`${file} is restored.`);
    }),
  );

export default program;
