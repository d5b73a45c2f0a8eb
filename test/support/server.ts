// The whole service in this process on a free port, with a copy of the imported catalog.
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { readEnv } from '../../config/env.js';
import type { Account, AccountId } from '../../src/accounts/account.js';
import { newSession } from '../../src/accounts/session.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import { compose } from '../../src/service.js';
import { createHttpServer } from '../../src/platform/http/connections/server.js';
import { openFence, type Fence } from '../../src/platform/processes/fence.js';
import { BUCKETS, type Bucket, type Tier } from '../../src/accounts/plan.js';
import { passwordHash, someAccount } from './accounts.js';
import { openBackend } from './backend.js';
import { capturedLog } from './captured-log.js';
import type { CatalogPart } from './sample-catalog.js';
import { temporaryDir } from './temporary.js';

/** Default PUBLIC_URL of the server. */
export const PUBLIC_ORIGIN = 'https://icons.example';
const SESSION_COOKIE = '__Host-blazon_session';

let fence: Promise<Fence> | undefined;

/**
 * Returns the fence for all servers of this process. It hides the system's temporary folder, which contains all data
 * folders of tests. Finding a fence takes half a second of processor time, so it is found only once.
 */
function sharedFence(): Promise<Fence> {
  fence ??= openFence(tmpdir());
  return fence;
}

/** A signed-in customer with the password `PASSWORD`. */
export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly apiKey: string;
  /** Session cookie in the form `name=value`. */
  readonly cookie: string;
  readonly accessToken: string;
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;

interface CustomerOptions {
  /** Base URL of the test server. It differs from the server's PUBLIC_URL, which is `PUBLIC_ORIGIN` by default. */
  readonly base: string;
  readonly accounts: Stores['accounts'];
  readonly at: Date;
}

export async function createCustomer({ base, accounts, at }: CustomerOptions, tier: Tier): Promise<Customer> {
  const { account, apiKey } = someAccount({ tier, passwordHash: await passwordHash(), at });
  const { session, token } = newSession(account.id, { userAgent: null, address: null }, at);
  await accounts.insert({ ...account, mails: [], sessions: [session] });
  const cookie = `${SESSION_COOKIE}=${token}`;
  const response = await fetch(`${base}/auth/refresh`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: PUBLIC_ORIGIN, 'Content-Type': 'application/json' },
  });
  const { accessToken } = (await response.json()) as { accessToken: string };
  return { id: account.id, email: account.email, apiKey, cookie, accessToken };
}

/** Starts a server before all tests of this `describe` block, and closes it after them. */
export function suiteServer(...given: Parameters<typeof startServer>): TestServer {
  const server = {} as TestServer;
  before(async () => void Object.assign(server, await startServer(...given)));
  after(() => server.close());
  return server;
}

/** Starts the service. `now` returns ms since the epoch. */
export async function startServer(
  variables: Record<string, string> = {},
  now: () => number = Date.now,
  catalog: CatalogPart | 'none' = 'sample',
) {
  const { path: dataDir, remove } = temporaryDir();
  const backend = await openBackend(dataDir, { now, catalog });
  const env = readEnv(
    { DATA_DIR: dataDir, PORT: '0', PUBLIC_URL: PUBLIC_ORIGIN, ...backend.variables, ...variables },
    '0.0.0',
  );
  const { log, text, search, errors, answered } = capturedLog();
  const service = await compose(env, log, now, sharedFence);
  const server = createHttpServer(service.handle);
  await new Promise<void>((resolve) => server.listen(env.PORT, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { accounts } = backend.stores;
  const [signing = backend.stores.signingSecret()] = env.JWT_SECRET;
  const idOf = (key: string) => key.slice(4, 16) as AccountId;
  const get = (path: string, key?: string, headers: Record<string, string> = {}) =>
    fetch(base + path, {
      redirect: 'manual',
      headers: { ...(key !== undefined && { 'X-API-Key': key }), ...headers },
    });

  async function change(id: AccountId, changed: (account: Account) => Partial<Account>): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const account = await accounts.find(id);
      if (!account) throw new Error('there is no such account');
      const next = { ...account, ...changed(account), version: account.version + 1 };
      if (await accounts.save(next)) return;
    }
    throw new Error('the account was changed meanwhile');
  }

  return {
    base,
    dataDir,
    /** Stores of another process that uses the same data. */
    stores: backend.stores,
    /** Makes the stores reject writes. Returns a function that ends this state. */
    block: () => backend.block(),
    service,
    /** Secret for the signatures of registration links. */
    registrationSecret: createHmac('sha256', signing).update('blazon registrations').digest('base64url'),
    /** Secret for the tokens of links in mails. */
    linkSecret: createHmac('sha256', signing).update('blazon mailed links').digest('base64url'),
    async key(tier: Tier = 'internal'): Promise<string> {
      const { account, apiKey } = someAccount({ tier });
      await accounts.insert(account);
      return apiKey;
    },
    customer: (tier: Tier = 'free') => createCustomer({ base, accounts, at: new Date(now()) }, tier),
    /** Returns the number of all accounts plus the number of this account's audit events. */
    records: ({ id }: Customer) => backend.records(id as AccountId),
    /** Returns true while a password reset request is stored or a mail waits to be sent. */
    isMailing: () => backend.isMailing(),
    /** Returns today's usage of the key's account, by bucket. */
    async used(key: string): Promise<Readonly<Record<Bucket, number>>> {
      const { endpoints } = (await (await get('/v1/usage', key)).json()) as {
        endpoints: Record<Bucket, { used: number }>;
      };
      return Object.fromEntries(BUCKETS.map((bucket) => [bucket, endpoints[bucket].used])) as Record<Bucket, number>;
    },
    /** Sets today's usage of the key's account in this bucket. */
    setUsed: (key: string, bucket: Bucket, used: number) => backend.setUsed(idOf(key), bucket, used),
    /**
     * Changes the stored account as another process would. Tries again if the service changes it meanwhile, for example
     * because it has sent a mail.
     */
    change,
    suspend: (key: string) => change(idOf(key), () => ({ suspended: true })),
    revokeKey: (key: string) => change(idOf(key), () => ({ key: null })),
    /** Returns the complete log, in which secrets are not removed. */
    logged: text,
    errors,
    /** Returns the log line of the request with this `X-Request-Id`. */
    answered,
    stored: () => backend.stored(),
    get,
    async close(): Promise<void> {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await service.close();
      await backend.close();
      remove();
      search();
    },
  };
}
