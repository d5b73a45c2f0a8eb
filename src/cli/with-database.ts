// The database of a command: opened for its duration, and created only by commands that may do so.
import { resolve } from 'node:path';
import type { Env } from '../../config/env.js';
import { hasDatabase } from '../compose/open-stores.js';
import { fail, printError, runCommand, warnOfVariables } from './command.js';

interface DatabaseCommand<Tools> {
  /** `existing`: without a database the command fails, and writes nothing. `create`: it makes one, and says so. */
  readonly database: 'existing' | 'create';
  /** Rejects before a database is created, when it checks what else is wrong first. */
  readonly open: (env: Env) => Promise<Tools>;
  readonly run: (tools: Tools) => Promise<void>;
}

export function withDatabase<Tools extends { close(): void | Promise<void> }>({
  database,
  open,
  run,
}: DatabaseCommand<Tools>): Promise<void> {
  return runCommand(async (env) => {
    const isNew = !(await hasDatabase(env));
    if (isNew) {
      // A misspelled variable, DATADIR for example, is a likely reason.
      warnOfVariables(env);
      if (database === 'existing') failWithoutDatabase(env.DATA_DIR);
    }
    const tools = await open(env);
    try {
      if (isNew) printError(`A new database was created in ${resolve(env.DATA_DIR)}, since there was none.`);
      await run(tools);
    } finally {
      await tools.close();
    }
  });
}

function failWithoutDatabase(dataDir: string): never {
  fail(
    `There is no database in ${resolve(dataDir)}: DATA_DIR may be mistyped, or the service was never started with it.`,
  );
}
