// Is this process fit to take requests?

export interface Readiness {
  readonly status: 'ready' | 'draining' | 'unavailable';
  /** Part → `ok`, or what is wrong with it. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface Health {
  readiness(): Promise<Readiness>;
  /** From now on the answer is `draining`. */
  drain(): void;
  readonly isDraining: () => boolean;
}

/** `checks` say what is wrong by throwing. */
export function health(checks: Readonly<Record<string, () => Promise<void>>>): Health {
  let draining = false;
  return {
    drain: () => {
      draining = true;
    },
    isDraining: () => draining,
    async readiness() {
      const results: Record<string, string> = {};
      for (const [name, check] of Object.entries(checks)) {
        results[name] = await check().then(
          () => 'ok',
          (error: unknown) => (error instanceof Error ? error.message : 'failed'),
        );
      }
      const healthy = Object.values(results).every((result) => result === 'ok');
      return { status: draining ? 'draining' : healthy ? 'ready' : 'unavailable', checks: results };
    },
  };
}
