// Sets up a child process of the service: lowers its priority, and ends it with its parent.
import { getPriority, setPriority } from 'node:os';

/**
 * Sets up this process. `niceness` is 1 to 19. The service itself has 0, unless it was started with a lower priority.
 */
export function bindToParent(niceness: number): void {
  // Inside a fence, a process may not raise its priority. So it is never raised here.
  setPriority(Math.max(niceness, getPriority()));
  // Ignored: a terminal sends these signals to every process of its group. The service first finishes its open
  // requests, and then kills this process.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  // The service has ended. `process.exit` would wait for threads that may hang, so the process kills itself.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
