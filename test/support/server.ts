// The whole service in this process, on a free port, over a copy of the imported catalog.
import { cpSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { readEnv } from '../../config/env.js';
import { embeddedAccountStore } from '../../src/adapters/embedded/account-store.js';
import { openDatabase } from '../../src/adapters/embedded/database.js';
import { compose, type Service } from '../../src/compose.js';
import { httpServer } from '../../src/http/server.js';
import type { Tier } from '../../src/domain/plan.js';
import { someAccount } from './accounts.js';
import { importedCatalog } from './catalog.js';
import { temporaryDir } from './temporary.js';

export interface TestServer {
  readonly base: string;
  readonly dataDir: string;
  readonly service: Service;
  /** A fresh customer's key. */
  key(tier?: Tier): Promise<string>;
  /** Sets today's counter of a key's account. */
  setUsed(key: string, bucket: string, used: number): void;
  suspend(key: string): void;
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export async function startServer(variables: Record<string, string> = {}): Promise<TestServer> {
  const { path: dataDir, remove } = temporaryDir();
  cpSync(await importedCatalog(), dataDir, { recursive: true });
  const env = readEnv({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', PUBLIC_URL: 'https://icons.example', ...variables }, '0.0.0');
  const service = await compose(env, pino({ level: 'silent' }));
  const server = httpServer(service.handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const db = openDatabase(dataDir);
  const accounts = embeddedAccountStore(db);
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
    setUsed(key, bucket, used) {
      const day = new Date().toISOString().slice(0, 10);
      db.prepare('INSERT OR REPLACE INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)').run(accountOf(key), day, bucket, used);
    },
    suspend: (key) => void db.prepare('UPDATE accounts SET suspended = 1 WHERE id = ?').run(accountOf(key)),
    get: (path, key, headers = {}) =>
      fetch(base + path, { redirect: 'manual', headers: { ...(key !== undefined && { 'X-API-Key': key }), ...headers } }),
    async close() {
      db.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await service.close();
      remove();
    },
  };
}
