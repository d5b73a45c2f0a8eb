// Sets up a child process of the service: lowers the priority, and ends the process when its parent ends.
import { getPriority, setPriority } from 'node:os';

/** Sets up this process. `niceness` is 1 to 19 and lowers the priority. The service normally has niceness 0. */
export function bindToParent(niceness: number): void {
  // Never raises the priority. A sandboxed process has no permission to raise it, so `setPriority` would fail.
  setPriority(Math.max(niceness, getPriority()));
  // A terminal sends these signals to the service and to this process. This process ignores them, because the service
  // still needs it for open requests.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  // Kills this process when the service has ended. `process.exit` would wait for threads, and a thread may hang.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
