// Failures of the fake, switched at run time.
import { setTimeout as sleep } from 'node:timers/promises';
import { errorReply, type ApiReply } from './api.js';
import { ApiError } from './errors.js';

/** One at a time; each ends the one before. `only`: the route, such as `GET /v1/subscriptions`; all when absent. */
export interface FakeFailures {
  /** Requests are executed at once and answered after this time. */
  slow(ms: number, only?: string): void;
  /** Requests are executed at once and answered when the failure ends. */
  hold(only?: string): void;
  /** Connections are reset; nothing is executed. */
  down(only?: string): void;
  /** Requests are executed, and their connection is reset. */
  loseAnswers(only?: string): void;
  /** Requests are answered so; nothing is executed. */
  answer(status: 429 | 500, only?: string): void;
  /** No failure. */
  up(): void;
}

/** Undefined when the connection is to be reset. */
export type Reply = (route: string, execute: () => ApiReply) => Promise<ApiReply | undefined>;

const ERRORS: Readonly<Record<429 | 500, ApiReply>> = {
  429: errorReply(
    new ApiError(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' }),
  ),
  500: errorReply(new ApiError(500, { type: 'api_error', message: 'An unknown error occurred.' })),
};

export function createFailures(): { readonly reply: Reply; readonly failures: FakeFailures } {
  const works: Reply = async (_route, execute) => execute();
  let current = works;
  let release: () => void = () => undefined;

  function fail(only: string | undefined, reply: Reply): void {
    release();
    current = async (route, execute) => (only === undefined || only === route ? reply(route, execute) : execute());
  }

  const failures: FakeFailures = {
    slow: (ms, only) =>
      fail(only, async (_route, execute) => {
        const reply = execute();
        await sleep(ms);
        return reply;
      }),
    hold(only) {
      const held = new Promise<void>((resolve) => {
        fail(only, async (_route, execute) => {
          const reply = execute();
          await held;
          return reply;
        });
        release = resolve;
      });
    },
    down: (only) => fail(only, async () => undefined),
    loseAnswers: (only) =>
      fail(only, async (_route, execute) => {
        execute();
        return undefined;
      }),
    answer: (status, only) => fail(only, async () => ERRORS[status]),
    up: () => fail(undefined, works),
  };
  return { reply: (route, execute) => current(route, execute), failures };
}
