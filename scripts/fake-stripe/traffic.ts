// Requests that the API has answered: a log without credentials, and how many were under way at once.
import type { Parameters } from './parameters.js';

const MAX_LOGGED = 10_000;

export interface LoggedRequest {
  /** `req_…` */
  readonly id: string;
  /** Such as `GET /v1/customers/{id}`; `unknown` for other paths. */
  readonly route: string;
  /** With the query. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | null;
  /** Of the fake's clock. */
  readonly at: Date;
  /** 0 when the connection was reset. */
  status: number;
}

export interface RouteCount {
  readonly requests: number;
  /** Most at the same time: of requests that are answered at once, hardly ever two; measure with `slow` or `hold`. */
  readonly maxConcurrent: number;
}

export interface Traffic {
  readonly log: readonly LoggedRequest[];
  /** Routes that were never asked for are left out. */
  counts(): Readonly<Record<string, RouteCount>>;
  /** Returns the function that ends it. */
  begin(route: string): () => void;
  add(request: LoggedRequest): void;
}

export function createTraffic(): Traffic {
  const log: LoggedRequest[] = [];
  const counts = new Map<string, { requests: number; now: number; maxConcurrent: number }>();
  return {
    log,
    counts: () =>
      Object.fromEntries(
        [...counts].map(([route, { requests, maxConcurrent }]) => [route, { requests, maxConcurrent }]),
      ),
    begin(route) {
      const count = counts.get(route) ?? { requests: 0, now: 0, maxConcurrent: 0 };
      counts.set(route, count);
      count.requests += 1;
      count.now += 1;
      count.maxConcurrent = Math.max(count.maxConcurrent, count.now);
      return () => void (count.now -= 1);
    },
    add(request) {
      log.push(request);
      if (log.length > MAX_LOGGED) log.shift();
    },
  };
}

export const loggedParameters = (parameters: Parameters): Record<string, string> => Object.fromEntries(parameters);
