// Sends requests to any route, as a customer with access to the route.
import { expect } from 'chai';
import type { ErrorCode } from '../../src/platform/errors.js';
import { routeErrors } from '../../src/platform/http/openapi/route-errors.js';
import type { Route } from '../../src/platform/http/route.js';
import { allRoutes } from './features.js';
import { from } from './auth.js';
import { startServer, type Customer, type TestServer } from './server.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { expectError } from './expect-error.js';
import { callOf, credentialsOf, kindOf, OPERATOR_EMAIL, WEBHOOK_SECRET, type RouteCall } from './route-calls.js';

export const ROUTES = await allRoutes();
export const nameOf = ({ method, path }: Route) => `${method} ${path}`;
export const withParameter = (path: string, pair: string) => path + (path.includes('?') ? '&' : '?') + pair;

interface Sent {
  readonly path?: string;
  readonly method?: string;
  /**
   * Additional headers. Each of them replaces the request's header of the same name, even a header with credentials.
   */
  readonly headers?: Record<string, string>;
  readonly credentials?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface RouteBench {
  readonly server: TestServer;
  /**
   * Signed-in customer without limits. Each test has a new customer, because some requests work only once or end the
   * session.
   */
  readonly customer: Customer;
  /** Valid request. */
  readonly call: RouteCall;
  /** Sends the valid request with these changes. */
  readonly send: (sent?: Sent) => Promise<Response>;
  /** Sends the valid request with these changes. Expects this error and returns its body. */
  readonly rejects: (sent: Sent, status: number, code: ErrorCode) => Promise<Record<string, unknown>>;
}

/**
 * Starts a server for the tests of this block, and creates a customer for each test. Call the returned function inside
 * a test.
 */
export function benchOf(route: Route): () => RouteBench {
  let server: TestServer;
  let stripe: FakeStripe;
  let bench: RouteBench;
  before(async () => {
    ({ server, stripe } = await sharedServer());
  });
  beforeEach(async () => {
    const customer = await server.customer('internal');
    const call = await callOf(route, customer, server, stripe);
    bench = {
      ...{ server, customer, call },
      send: (sent = {}) => documented(sent),
      rejects: async (sent, status, code) => expectError(await documented(sent), status, code),
    };

    /** Sends the request. Fails if the route does not document the error. */
    async function documented(sent: Sent): Promise<Response> {
      const response = await send(sent);
      if (response.status < 400 || sent.path !== undefined || sent.method !== undefined) return response;
      const { error } = (await response.clone().json()) as { readonly error: ErrorCode };
      expect(routeErrors(route)).to.include(error);
      return response;
    }

    function send({ path, method, headers, credentials, body }: Sent): Promise<Response> {
      const payload = body ?? call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
      return fetch(server.base + (path ?? call.path), {
        method: method ?? route.method,
        redirect: 'manual',
        headers: {
          ...from(),
          ...(payload !== undefined && { 'Content-Type': 'application/json' }),
          ...call.headers,
          ...(credentials ?? credentialsOf(kindOf(route), customer)),
          ...headers,
        },
        ...(payload !== undefined && { body: payload }),
      });
    }
  });
  return () => bench;
}

interface Shared {
  readonly server: TestServer;
  readonly stripe: FakeStripe;
}

let shared: Promise<Shared> | undefined;
function sharedServer(): Promise<Shared> {
  shared ??= (async () => {
    const stripe = await startFakeStripe();
    const variables = {
      TRUST_PROXY: '1',
      SECURITY_CONTACT: 'mailto:security@icons.example',
      OPERATOR_EMAILS: OPERATOR_EMAIL,
      ...sellPlans(stripe, WEBHOOK_SECRET),
    };
    return { stripe, server: await startServer(variables, () => stoppedAtMs ?? Date.now()) };
  })();
  return shared;
}

let stoppedAtMs: number | undefined;
/** Stops the clock of the server during `work`, because the result must not depend on the speed of the machine. */
export async function atOneMoment<Result>(work: () => Promise<Result>): Promise<Result> {
  stoppedAtMs = Date.now();
  try {
    return await work();
  } finally {
    stoppedAtMs = undefined;
  }
}

/** Closes the server that all tests of a file share. Call this once, after the last test of the file. */
export async function closeBench(): Promise<void> {
  const opened = await shared;
  await opened?.server.close();
  await opened?.stripe.close();
  shared = undefined;
}
