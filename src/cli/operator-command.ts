// Commands about accounts and jobs: their tools, opened for the duration of one command.
import { openOperatorTools, type OperatorTools } from '../compose/operator-tools.js';
import { printError } from './command.js';
import { withDatabase } from './with-database.js';

export function withOperatorTools(
  run: (tools: OperatorTools) => Promise<void>,
  database: 'existing' | 'create' = 'existing',
): Promise<void> {
  return withDatabase({
    database,
    open: (env) => openOperatorTools(env, (error, what) => printError(`${what}: ${String(error)}`)),
    run,
  });
}
