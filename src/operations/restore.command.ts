// Restore command (`npm run restore -- FILE`): restores a backup.
import { Option } from 'commander';
import { restore, snapshotFault } from './transfer-tools.js';
import { fail, print, readCommandEnv, type Command } from '../platform/command-line/command.js';
import { printReport, transferProgress } from './transfer-report.command.js';

export default {
  argument: ['<file>', 'a file created by backup'],
  options: [new Option('--replace', 'keep the existing database under another name')],
  json: false,
  async run(file: string, { replace = false }: { readonly replace?: boolean }) {
    const env = readCommandEnv();
    const fault = snapshotFault(file);
    if (fault !== undefined) fail(`${file} cannot be restored: ${fault}. Nothing was changed.`);
    const progress = transferProgress();
    const report = await restore(env, file, { replace, onProgress: progress.show }).finally(() => progress.stop());
    printReport(report);
    print(`${file} is restored.`);
  },
} satisfies Command;
