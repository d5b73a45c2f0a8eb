// Failures that tests can switch on in the fake.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './objects.js';

/** Returns the response, or undefined to reset the connection. */
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

/** A new failure ends the one before. `only` limits it to a route, such as `GET /v1/subscriptions`. */
export function createFailures() {
  let current: { readonly failure: Failure; readonly only: string | undefined } | undefined;
  let release: () => void = () => undefined;

  function fail(only: string | undefined, failure: Failure): void {
    release();
    current = { failure, only };
  }
  return {
    /** Returns the response, or undefined to reset the connection. */
    around: async (route: string, execute: () => string): Promise<string | undefined> =>
      current && (current.only ?? route) === route ? current.failure(execute) : execute(),
    failures: {
      /** Executes requests at once, and answers after this time, ms. */
      slow: (ms: number, only?: string) =>
        fail(
          only,
          executedBefore(() => sleep(ms)),
        ),
      /** Executes requests at once, and answers when the failure ends. */
      hold(only?: string): void {
        const held = new Promise<void>((resolve) => {
          fail(
            only,
            executedBefore(() => held),
          );
          release = resolve;
        });
      },
      /** Resets connections and executes nothing. */
      down: (only?: string) => fail(only, async () => undefined),
      /** Rejects requests and executes nothing. */
      answer: (status: 429 | 500, only?: string) =>
        fail(only, () => Promise.reject(new ApiError(status, ERRORS[status]))),
      /** Ends the failure. */
      up(): void {
        release();
        current = undefined;
      },
    },
  };
}
