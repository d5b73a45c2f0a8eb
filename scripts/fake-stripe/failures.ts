// Failures that tests can turn on in the fake.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './objects.js';

/** Executes a request and returns the response, or undefined to reset the connection. */
type Failure = (execute: () => string) => Promise<string | undefined>;

const ERRORS = {
  409: {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now because another API request or Stripe process is accessing it.',
  },
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

/**
 * Creates functions that turn failures on and off. Turning on a failure turns off the previous one. `only` limits the
 * failure to a route, such as `GET /v1/subscriptions`.
 */
export function createFailures() {
  let current: { readonly failure: Failure; readonly only: string | undefined } | undefined;
  let release: () => void = () => undefined;

  function fail(only: string | undefined, failure: Failure): void {
    release();
    current = { failure, only };
  }
  return {
    /**
     * Executes a request with the failure that a test has turned on, if there is one. Returns the response, or
     * undefined to reset the connection.
     */
    around: async (route: string, execute: () => string): Promise<string | undefined> =>
      current && (current.only ?? route) === route ? current.failure(execute) : execute(),
    failures: {
      /** Executes requests immediately, and responds after `ms`. */
      slow: (ms: number, only?: string) =>
        fail(
          only,
          executedBefore(() => sleep(ms)),
        ),
      /** Executes requests immediately, and responds when the failure ends. */
      hold(only?: string): void {
        const held = new Promise<void>((resolve) => {
          fail(
            only,
            executedBefore(() => held),
          );
          release = resolve;
        });
      },
      /** Resets connections, and does not execute requests. */
      down: (only?: string) => fail(only, async () => undefined),
      /** Responds with an error, and does not execute requests. */
      answer: (status: keyof typeof ERRORS, only?: string) =>
        fail(only, () => Promise.reject(new ApiError(status, ERRORS[status]))),
      /** Turns off the current failure. */
      up(): void {
        release();
        current = undefined;
      },
    },
  };
}
