// The account half of the service over a database of its own, with a clock that tests move.
import { readEnv } from '../../config/env.js';
import { composeAccounts, type AccountParts } from '../../src/compose/accounts.js';
import { capturedLog, rememberVariables, tappedParts } from './secret-taps.js';
import { temporaryDatabase } from './temporary.js';
import { testStores } from './stores.js';

export interface AccountStage {
  readonly db: ReturnType<typeof temporaryDatabase>['db'];
  readonly path: string;
  readonly parts: AccountParts;
  readonly errors: unknown[];
  readonly now: () => number;
  advance(ms: number): void;
  close(): Promise<void>;
}

/** Mails leave when the job sends them. */
export function openAccountStage(variables: Record<string, string> = {}): AccountStage {
  rememberVariables(variables);
  const { log, inspect } = capturedLog();
  const { db, path, close } = temporaryDatabase();
  let nowMs = Date.UTC(2026, 2, 1, 12);
  const now = () => nowMs;
  const errors: unknown[] = [];
  const env = readEnv({ DATA_DIR: path, PUBLIC_URL: 'https://icons.example', ...variables }, '0.0.0');
  const onError = (error: unknown, what: string): void => {
    errors.push(error);
    log.warn({ err: error }, what);
  };
  const stores = testStores({ db, dataDir: path, now });
  const parts = composeAccounts({ env, stores, now, onError, mails: 'by the job' });
  return {
    db,
    path,
    parts: tappedParts(parts),
    errors,
    now,
    advance(ms) {
      nowMs += ms;
    },
    async close() {
      await parts.close();
      close();
      inspect();
    },
  };
}
