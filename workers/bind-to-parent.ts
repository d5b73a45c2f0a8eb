// Sets up a child process of the service: lower priority, and an end with its parent.
import { getPriority, setPriority } from 'node:os';

/** `niceness` is 1 to 19. The service itself has 0 unless it was started with lower priority. */
export function bindToParent(niceness: number): void {
  // A process inside a fence may not raise its priority.
  setPriority(Math.max(niceness, getPriority()));
  // A terminal sends these signals to every process of its group. The service first finishes open requests, then kills this
  // process.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  // The service is gone. A normal exit would wait for threads that may hang.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
