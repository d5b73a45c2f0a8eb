// The time of the scripts: the server's, of which this process keeps an estimate; or that of a test.

export interface ServerClock {
  /** For the scripts: ms since the epoch of a test's clock, empty for the server's own. */
  argument(): string;
  /** Expiry of a command that is sent now, in the server's ms; empty while the server's time is unknown. */
  deadline(limitMs: number): string;
  /** `serverMs` has just arrived. */
  learn(serverMs: number): void;
}

/**
 * A server that stood still executes what was sent to it before, though the callers were rejected long ago: the deadline
 * keeps it from counting these requests. The estimate is early by the way of the last reply at most.
 */
export function createServerClock(now?: () => number): ServerClock {
  let offsetMs: number | undefined;
  return {
    argument: () => (now ? String(now()) : ''),
    deadline: (limitMs) => (offsetMs === undefined ? '' : String(Math.floor(performance.now() + offsetMs) + limitMs)),
    learn(serverMs) {
      if (!now) offsetMs = serverMs - performance.now();
    },
  };
}
