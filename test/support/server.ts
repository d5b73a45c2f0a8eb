// The whole service in this process, on a free port, over a copy of the imported catalog.
import { cpSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readEnv } from '../../config/env.js';
import { createEmbeddedAccountStore } from '../../src/adapters/embedded/accounts/account-store.js';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { newSession } from '../../src/domain/account/session.js';
import { compose, type Service } from '../../src/compose/service.js';
import { createHttpServer } from '../../src/http/server.js';
import type { Tier } from '../../src/domain/metering/plan.js';
import { passwordHash, someAccount } from './accounts.js';
import { importedCatalog } from './catalog.js';
import { secretWatch } from './secret-guard.js';
import { capturedLog, rememberVariables, tappedHandle } from './secret-taps.js';
import { temporaryDir } from './temporary.js';

/** PUBLIC_URL unless a test says otherwise. */
export const PUBLIC_ORIGIN = 'https://icons.example';
const SESSION_COOKIE = '__Host-blazon_session';

/** Somebody who is signed in; the password is `PASSWORD`. */
export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly apiKey: string;
  /** As a browser sends it. */
  readonly cookie: string;
  readonly accessToken: string;
}

export interface TestServer {
  readonly base: string;
  readonly dataDir: string;
  readonly service: Service;
  /** A fresh customer's key. */
  key(tier?: Tier): Promise<string>;
  /** A fresh customer, signed in. */
  customer(tier?: Tier): Promise<Customer>;
  /** Rises with every new account, and with whatever happens to this one. */
  records(customer: Customer): number;
  /** Whether a request for a password reset is stored, or a mail is still to be sent. */
  isMailing(): boolean;
  /** Sets today's counter of a key's account. */
  setUsed(key: string, bucket: string, used: number): void;
  suspend(key: string): void;
  revokeKey(key: string): void;
  /** Log lines at level error. */
  errors(): readonly string[];
  /** All bytes of the database. */
  stored(): Buffer;
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** `now`: ms since the epoch. */
export async function startServer(
  variables: Record<string, string> = {},
  now: () => number = Date.now,
): Promise<TestServer> {
  const { path: dataDir, remove } = temporaryDir();
  cpSync(await importedCatalog(), dataDir, { recursive: true });
  const env = readEnv({ DATA_DIR: dataDir, PORT: '0', PUBLIC_URL: PUBLIC_ORIGIN, ...variables }, '0.0.0');
  rememberVariables(variables);
  const { log, inspect, errors } = capturedLog();
  const service = await compose(env, log, now);
  const server = createHttpServer(tappedHandle(service.handle));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const db = openDatabase(dataDir);
  const accounts = createEmbeddedAccountStore(db);
  const accountOf = (key: string) => key.slice(4, 16);

  return {
    base,
    dataDir,
    service,
    async key(tier = 'internal') {
      const { account, apiKey } = someAccount({ tier });
      await accounts.insert(account);
      return apiKey;
    },
    async customer(tier = 'free') {
      const { account, apiKey } = someAccount({ tier, passwordHash: await passwordHash(), at: new Date(now()) });
      const { session, token } = newSession(account.id, { userAgent: null, address: null }, new Date(now()));
      await accounts.insert({ ...account, mails: [], sessions: [session] });
      const cookie = `${SESSION_COOKIE}=${token}`;
      const response = await fetch(`${base}/auth/refresh`, {
        method: 'POST',
        headers: { Cookie: cookie, Origin: PUBLIC_ORIGIN, 'Content-Type': 'application/json' },
      });
      const { accessToken } = (await response.json()) as { accessToken: string };
      return { id: account.id, email: account.email, apiKey, cookie, accessToken };
    },
    records: ({ id }) =>
      (
        db
          .prepare(
            'SELECT (SELECT count(*) FROM accounts) + (SELECT count(*) FROM audit WHERE account_id = ?) AS records',
          )
          .get(id) as { records: number }
      ).records,
    isMailing: () =>
      db
        .prepare('SELECT 1 FROM password_reset_requests UNION ALL SELECT 1 FROM accounts WHERE mail_at IS NOT NULL')
        .get() !== undefined,
    setUsed(key, bucket, used) {
      const day = new Date().toISOString().slice(0, 10);
      db.prepare('INSERT OR REPLACE INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)').run(
        accountOf(key),
        day,
        bucket,
        used,
      );
    },
    suspend: (key) => void db.prepare('UPDATE accounts SET suspended = 1 WHERE id = ?').run(accountOf(key)),
    revokeKey: (key) =>
      void db
        .prepare('UPDATE accounts SET key_hash = NULL, key_hint = NULL, key_created_at = NULL WHERE id = ?')
        .run(accountOf(key)),
    errors,
    stored: () =>
      Buffer.concat(['blazon.sqlite', 'blazon.sqlite-wal'].map((file) => readFileSync(join(dataDir, file)))),
    get: (path, key, headers = {}) =>
      fetch(base + path, {
        redirect: 'manual',
        headers: { ...(key !== undefined && { 'X-API-Key': key }), ...headers },
      }),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await service.close();
      secretWatch.inspectOpenDatabase(dataDir);
      db.close();
      remove();
      inspect();
    },
  };
}
