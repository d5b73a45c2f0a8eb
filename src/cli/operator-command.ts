// A command about accounts or jobs: opens what it needs beside the service, and closes it.
import { openOperatorTools, type OperatorTools } from '../compose/operator-tools.js';
import { explain, runCommand } from './command.js';

export function withOperatorTools(run: (tools: OperatorTools) => Promise<void>): Promise<void> {
  return runCommand(async (env) => {
    const tools = openOperatorTools(env, (error, what) => explain(`${what}: ${String(error)}`));
    try {
      await run(tools);
    } finally {
      await tools.close();
    }
  });
}
