// Health: whether this process can serve requests.

export interface Readiness {
  readonly status: 'ready' | 'draining' | 'unavailable';
  /** Result of each check: `ok`, or the error message of the check. */
  readonly checks: Readonly<Record<string, string>>;
}

export type Health = ReturnType<typeof createHealth>;

/** Time in ms for which the result of a check is cached. */
const KEPT_MS = 1000;

/**
 * Runs the check at most once at a time. When it has ended, its outcome is returned again for `KEPT_MS`. `now`:
 * monotonic time in ms, so that a clock that is set back does not prolong this time.
 */
export function bounded(check: () => Promise<void>, now: () => number = () => performance.now()): () => Promise<void> {
  let outcome: Promise<void> | undefined;
  let endedAt = Infinity;
  return () => {
    if (outcome === undefined || now() - endedAt >= KEPT_MS) {
      endedAt = Infinity;
      outcome = check().finally(() => {
        endedAt = now();
      });
    }
    return outcome;
  };
}

/** `checks`: health checks by name. A check rejects if the part of the service that it checks does not work. */
export function createHealth(checks: Readonly<Record<string, () => Promise<void>>>) {
  let draining = false;
  return {
    drain: (): void => {
      draining = true;
    },
    isDraining: (): boolean => draining,
    async readiness(): Promise<Readiness> {
      // Runs all checks at once, so that a slow check does not delay the others.
      const outcomes = Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => [
        name,
        await check().then(
          () => 'ok',
          (error: unknown) => (error instanceof Error ? error.message : 'failed'),
        ),
      ]);
      const results = Object.fromEntries(await Promise.all(outcomes));
      const healthy = Object.values(results).every((result) => result === 'ok');
      return { status: draining ? 'draining' : healthy ? 'ready' : 'unavailable', checks: results };
    },
  };
}
