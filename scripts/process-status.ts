// Status of processes and threads on Linux: `/proc/<pid>/stat`, proc(5).
import { readFileSync } from 'node:fs';

export interface ProcessStatus {
  /** `R` runs, `S` sleeps, `T` is stopped, …; empty when it cannot be read. */
  readonly state: string;
  /** Processor time, user and system, in clock ticks. */
  readonly ticks: number;
}

/** `folder`: `/proc/<pid>`, or `/proc/<pid>/task/<thread>`. Throws when there is none. */
export function processStatus(folder: string): ProcessStatus {
  const stat = readFileSync(`${folder}/stat`, 'utf8');
  // After the name, which may have spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', ticks: Number(fields[11]) + Number(fields[12]) };
}
