// Backup command (`npm run backup -- FILE`): writes all stored data into one file.
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, NoRoomError, snapshotFault } from './transfer-tools.js';
import { SnapshotTooOldError } from '../platform/errors.js';
import { fail, print, readCommandEnv, type Command } from '../platform/command-line/command.js';
import { transferProgress } from './transfer-report.command.js';

export default {
  argument: ['<file>', 'a file that does not exist yet'],
  json: false,
  async run(file: string) {
    const env = readCommandEnv();
    if (existsSync(file)) fail(`${file} already exists. Choose another name.`);
    const folder = dirname(resolve(file));
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      fail(`${file} cannot be written, because the folder ${folder} does not exist.`);
    const progress = transferProgress();
    await backup(env, file, progress.show)
      .finally(() => progress.stop())
      .catch((error: unknown) => {
        if (error instanceof NoRoomError || error instanceof SnapshotTooOldError)
          fail(`${file} cannot be written: ${error.message}.`);
        throw error;
      });
    const fault = snapshotFault(file);
    if (fault !== undefined) fail(`${file} was written, but cannot be restored: ${fault}.`);
    print(`${file}: ${Math.ceil(statSync(file).size / 1_000_000)} MB.`);
  },
} satisfies Command;
