// Health: the readiness of this process to take requests.

export interface Readiness {
  readonly status: 'ready' | 'draining' | 'unavailable';
  /** By part: `ok`, or the message of its error. */
  readonly checks: Readonly<Record<string, string>>;
}

export type Health = ReturnType<typeof createHealth>;

/** How long a check's outcome is cached, ms. */
const KEPT_MS = 1000;

/**
 * The same check, run once at a time and at most once in `KEPT_MS`. `now` in ms, monotonic: a clock set back keeps
 * nothing longer.
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

/** A check rejects when its part has failed. */
export function createHealth(checks: Readonly<Record<string, () => Promise<void>>>) {
  let draining = false;
  return {
    /** From now on the status is `draining`. */
    drain: (): void => {
      draining = true;
    },
    isDraining: (): boolean => draining,
    async readiness(): Promise<Readiness> {
      // All at once: one that waits for its server delays no other.
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
