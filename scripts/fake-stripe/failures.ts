// Failures of the fake, switched at run time.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './objects.js';

/** Gives what is answered; undefined: the connection is reset. */
type Failure = (execute: () => string) => Promise<string | undefined>;

const ERRORS = {
  429: { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' },
  500: { type: 'api_error', message: 'An unknown error occurred.' },
} as const;

const executedBefore =
  (wait: () => Promise<unknown>): Failure =>
  async (execute) => {
    const reply = execute();
    await wait();
    return reply;
  };

/** One failure at a time; each ends the one before. `only`: the route, such as `GET /v1/subscriptions`; all when absent. */
export function createFailures() {
  let current: { readonly failure: Failure; readonly only: string | undefined } | undefined;
  let release: () => void = () => undefined;

  function fail(only: string | undefined, failure: Failure): void {
    release();
    current = { failure, only };
  }
  return {
    /** The answer; undefined when the connection is to be reset. */
    around: async (route: string, execute: () => string): Promise<string | undefined> =>
      current && (current.only ?? route) === route ? current.failure(execute) : execute(),
    failures: {
      /** Requests are executed at once and answered after this time. */
      slow: (ms: number, only?: string) =>
        fail(
          only,
          executedBefore(() => sleep(ms)),
        ),
      /** Requests are executed at once and answered when the failure ends. */
      hold(only?: string): void {
        const held = new Promise<void>((resolve) => {
          fail(
            only,
            executedBefore(() => held),
          );
          release = resolve;
        });
      },
      /** Connections are reset; nothing is executed. */
      down: (only?: string) => fail(only, async () => undefined),
      /** Requests are rejected; nothing is executed. */
      answer: (status: 429 | 500, only?: string) =>
        fail(only, () => Promise.reject(new ApiError(status, ERRORS[status]))),
      /** No failure. */
      up(): void {
        release();
        current = undefined;
      },
    },
  };
}
