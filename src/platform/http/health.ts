// Health: whether this process can serve requests.

export interface Readiness {
  readonly status: 'ready' | 'draining' | 'unavailable';
  /** Result by part: `ok`, or the error message of its check. */
  readonly checks: Readonly<Record<string, string>>;
}

export type Health = ReturnType<typeof createHealth>;

/** Cache lifetime of a check's result in ms. */
const KEPT_MS = 1000;

/**
 * Limits a check to one run at a time, and to one run per `KEPT_MS`. `now`: monotonic time in ms, so that setting the
 * clock back does not extend the cache.
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

/** `checks`: health checks by name of the part. A check rejects if its part cannot be used. */
export function createHealth(checks: Readonly<Record<string, () => Promise<void>>>) {
  let draining = false;
  return {
    drain: (): void => {
      draining = true;
    },
    isDraining: (): boolean => draining,
    async readiness(): Promise<Readiness> {
      // Runs all checks at once. A slow one does not delay the others.
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
