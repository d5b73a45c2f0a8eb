// Doctor command (`npm run doctor`): findings about a deployment, and what to change. Writes nothing; may run beside the service.
import { examine } from '../compose/doctor-tools.js';
import type { Finding } from '../domain/finding.js';
import { createProgram, json, print, printJson, runCommand, setExitCode, type JsonFlag } from './command.js';
import { printFindings } from './findings.js';

const program = createProgram('doctor', 'Checks this deployment. Exit code 1 when something is wrong.');

program.addOption(json()).action((flags: JsonFlag) =>
  runCommand(async (env) => {
    const findings = await examine(env);
    if (flags.json === true) printJson(findings);
    else report(findings);
    if (findings.some(({ status }) => status === 'error')) setExitCode(1);
  }),
);

export default program;

function report(findings: readonly Finding[]): void {
  printFindings(findings);
  const counts = (['error', 'warning'] as const).map(
    (status) => findings.filter((one) => one.status === status).length,
  );
  const [errors = 0, warnings = 0] = counts;
  print('');
  print(errors + warnings === 0 ? 'Nothing is wrong.' : `Errors: ${errors}, warnings: ${warnings}.`);
}
