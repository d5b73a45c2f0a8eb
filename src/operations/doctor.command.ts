// Doctor command (`npm run doctor`): reports problems of a deployment and how to fix them. Writes nothing, and works
// while the service runs.
import { examine } from './doctor-tools.js';
import type { Finding } from '../platform/doctor-finding.js';
import { withCommandTexts } from '../platform/command-text.js';
import { readCommandEnv, setExitCode, show, type Command } from '../platform/command-line/command.js';

const MARKS: Readonly<Record<Finding['status'], string>> = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' };

export default {
  async run() {
    const findings = await examine(readCommandEnv());
    const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
    const [errors, warnings] = [count('error'), count('warning')];
    const sum = errors + warnings === 0 ? 'No problems found.' : `Errors: ${errors}, warnings: ${warnings}.`;
    show(findings, [...findingLines(findings), '', sum]);
    if (errors > 0) setExitCode(1);
  },
} satisfies Command;

/** Returns one line per finding, followed by a line with the advice, if there is one. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ check, status, message, advice }) => [
    `${MARKS[status]}  ${check}: ${message}`,
    ...(advice === null ? [] : [`         → ${withCommandTexts(advice)}`]),
  ]);
}
