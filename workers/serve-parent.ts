// Child processes of the service: lower priority, and an end with their parent.
import { getPriority, setPriority } from 'node:os';

/** `niceness`: 1 to 19; the service itself has 0 unless it was started with less priority. */
export function serveParent(niceness: number): void {
  // A process behind a fence may not raise its priority.
  setPriority(Math.max(niceness, getPriority()));
  // A terminal sends these to every process of its group; the service finishes what is in flight first, then kills this
  // one.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  // The service is gone. Leaving in the usual way would wait for threads that may hang.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
