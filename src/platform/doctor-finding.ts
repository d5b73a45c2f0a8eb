// Finding: what one check of a deployment found, and what to change.

export interface Finding {
  /** Subject of the check in one or two words, as in `redis persistence`. */
  readonly check: string;
  /** `warning`: it works, but may not as expected. `error`: it does not, or data may be lost. */
  readonly status: 'ok' | 'warning' | 'error';
  /** The state found, as one sentence. */
  readonly message: string;
  /** The change to make; null when none. */
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

/** ms between the clocks of this process and of a server that matter: admissions and locks compare their times. */
const CLOCK_SKEW_LIMIT_MS = 1000;

/** `serverMs`: the server's time, read between these two of this process. */
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
    `${(skewMs / 1000).toFixed(1)} s apart from this machine's: sessions, links and quotas end at different times.`,
    'Synchronise both with NTP.',
  );
}
