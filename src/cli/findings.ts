// Output of findings: one line each, with what to change below it.
import type { Finding } from '../domain/finding.js';
import { print } from './command.js';

const MARKS: Readonly<Record<Finding['status'], string>> = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' };

export function printFindings(findings: readonly Finding[]): void {
  for (const { check, status, message, advice } of findings) {
    print(`${MARKS[status]}  ${check}: ${message}`);
    if (advice !== null) print(`         → ${advice}`);
  }
}
