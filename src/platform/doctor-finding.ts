// Finding: the result of one check of a deployment, with advice.

export interface Finding {
  /** Subject of the check in one or two words, for example `redis persistence`. */
  readonly check: string;
  /**
   * Severity. `ok`: no problem. `warning`: works, but perhaps not as expected. `error`: does not work, or data may be
   * lost.
   */
  readonly status: 'ok' | 'warning' | 'error';
  /** Observed state, one sentence. */
  readonly message: string;
  /** Recommended change; null if no change is needed. */
  readonly advice: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, advice: null };
}

export function warning(check: string, message: string, advice: string): Finding {
  return { check, status: 'warning', message, advice };
}

export function failure(check: string, message: string, advice: string): Finding {
  return { check, status: 'error', message, advice };
}

/**
 * Maximum acceptable difference in ms between the clocks of this process and of a server. Quotas and locks compare
 * times of both clocks.
 */
const CLOCK_SKEW_LIMIT_MS = 1000;

/**
 * Returns a finding about a server's clock. `serverMs` is the server's time. This process reads its own clock twice:
 * before it asks for the server's time, and after it gets the reply.
 */
export function clockFinding(
  server: string,
  serverMs: number,
  [beforeMs, afterMs]: readonly [number, number],
): Finding {
  const skewMs = Math.max(beforeMs - serverMs, serverMs - afterMs, 0);
  const check = `${server} clock`;
  if (skewMs <= CLOCK_SKEW_LIMIT_MS) return ok(check, `Within ${CLOCK_SKEW_LIMIT_MS / 1000} s of this machine's.`);
  return failure(
    check,
    `The clock of ${server} differs from the clock of this machine by ${(skewMs / 1000).toFixed(1)} s: sessions, links and quotas end at ` +
      'different times.',
    'Synchronize both clocks with NTP.',
  );
}
