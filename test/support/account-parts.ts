// The account half of the service over a database of its own, with a clock that tests move.
import { readEnv } from '../../config/env.js';
import { composeAccounts, type AccountParts } from '../../src/compose-accounts.js';
import { temporaryDatabase } from './temporary.js';

export interface AccountStage {
  readonly db: ReturnType<typeof temporaryDatabase>['db'];
  readonly path: string;
  readonly parts: AccountParts & { readonly now: () => number };
  readonly errors: unknown[];
  readonly now: () => number;
  advance(ms: number): void;
  close(): Promise<void>;
}

/** Mails leave when the job sends them. */
export function openAccountStage(variables: Record<string, string> = {}): AccountStage {
  const { db, path, close } = temporaryDatabase();
  let nowMs = Date.UTC(2026, 2, 1, 12);
  const now = () => nowMs;
  const errors: unknown[] = [];
  const env = readEnv({ DATA_DIR: path, PUBLIC_URL: 'https://icons.example', ...variables }, '0.0.0');
  const parts = composeAccounts({ env, db, now, onError: (error) => errors.push(error), mails: 'by the job' });
  return {
    db,
    path,
    parts: { ...parts, now },
    errors,
    now,
    advance(ms) {
      nowMs += ms;
    },
    async close() {
      await parts.close();
      close();
    },
  };
}
