// Sets up a child process of the service: lowers the priority, and ends the process when its parent ends.
import { getPriority, setPriority } from 'node:os';

/** Sets up this process. `niceness` is 1 to 19 and lowers the priority. The service normally has niceness 0. */
export function bindToParent(niceness: number): void {
  // Never raises the priority, because a sandboxed process must not do this and would fail.
  setPriority(Math.max(niceness, getPriority()));
  // Ignores these signals, which a terminal sends to all processes of a group. The service kills this process when no
  // request is open any more.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  // The service has ended. The process kills itself, because `process.exit` waits for threads, and a thread may hang.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
