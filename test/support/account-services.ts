// Account services with a temporary database and a clock that the test sets.
import { readEnv } from '../../config/env.js';
import type { AccountContext } from '../../src/accounts/context.js';
import { FEATURES } from '../../src/features.js';
import { openServices } from '../../src/platform/open-services.js';
import type { Services } from '../../src/platform/services.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import type { Admission } from '../../src/metering/quota-admissions.js';
import type { Registered, RegistrationRequest } from '../../src/accounts/registration.js';
import type { ReportError } from '../../src/platform/report-error.js';
import { createClient, type Client } from '../../src/accounts/client-info.js';
import { PASSWORD } from './accounts.js';
import { openBackend } from './backend.js';
import { capturedLog } from './captured-log.js';
import { temporaryDir } from './temporary.js';

export { PASSWORD };
/** Hash of `PASSWORD` with the lowest allowed cost, to save time. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$RWZvUfUUi6Jlbjtn42rTtQ$nC4+8bR9K+oyV/vP3qjKPd6GjzTujqDPgHwYhxp5+eo';

export type AccountParts = Omit<AccountContext & Stores & Services, 'catalog' | 'close'>;

export interface TestAccounts extends AccountParts {
  readonly dataDir: string;
  readonly problems: readonly unknown[];
  /** Message and fields of each problem in the log. */
  readonly reports: readonly object[];
  stored(): Promise<Buffer>;
  settle(): Promise<void>;
  close(): Promise<void>;
  admit(apiKey: string): Promise<Admission>;
}

interface Options {
  readonly now?: () => number;
  readonly dataDir?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** `at once`: mails are sent immediately. `by the job`: mails are sent when the test runs the job. */
  readonly mails?: 'at once' | 'by the job';
}

export async function openAccountParts(options: Omit<Parameters<typeof openServices>[0], 'features' | 'metrics'>) {
  const { services, close } = await openServices({ ...options, features: FEATURES, metrics: undefined });
  const parts: AccountParts = { ...options.stores, ...services.accountContext, ...services };
  return { ...parts, close };
}

/** Opens the services. If `dataDir` is given, `close` does not delete this folder. */
export async function openTestAccounts({
  now = Date.now,
  dataDir,
  variables = {},
  mails = 'at once',
}: Options = {}): Promise<TestAccounts> {
  const { log, search } = capturedLog();
  const folder = dataDir === undefined ? temporaryDir() : { path: dataDir, remove: () => undefined };
  const backend = await openBackend(folder.path, { now, catalog: 'none' });
  const { stores } = backend;
  const problems: unknown[] = [];
  const reports: object[] = [];
  const env = readEnv({ PUBLIC_URL: 'https://icons.example', ...backend.variables, ...variables }, '0.0.0');
  const onError: ReportError = (error, what, fields) => {
    problems.push(error);
    log.warn({ err: error, ...fields }, what);
    reports.push({ what, ...fields });
  };
  const parts = await openAccountParts({ env, stores, now, onError, mails });
  const { admissions } = stores;
  return {
    ...parts,
    dataDir: folder.path,
    ...{ problems, reports },
    settle: () => parts.background.settle(),
    stored: () => backend.stored(),
    admit: async (apiKey) => {
      const parsed = parseApiKey(apiKey);
      if (!parsed) throw new Error('not a key');
      return admissions.admit({ accountId: parsed.accountId, keyHash: parsed.hash, bucket: 'svg', charge: 'verify' });
    },
    close: async () => {
      await parts.close();
      await backend.close({ keep: dataDir !== undefined });
      folder.remove();
      search();
    },
  };
}

/** Registers an account. Throws if registration needs a confirmation by mail. */
export async function registered(
  parts: Pick<AccountParts, 'registration'>,
  request: RegistrationRequest,
): Promise<Registered> {
  const outcome = await parts.registration.register(request);
  if (outcome === 'mailed') throw new Error('registration is not open');
  return outcome;
}

let clients = 0;

/** Creates a client with a new address, so that it has its own rate limits. */
export function someClient({
  deviceToken,
  budgetAddress,
}: { readonly deviceToken?: string; readonly budgetAddress?: string } = {}): Client {
  clients += 1;
  const address = budgetAddress ?? `client ${clients}`;
  return createClient({
    address: '192.0.2.7',
    rateLimitKey: address,
    fairnessKey: address,
    userAgent: 'test',
    deviceToken,
  });
}

/** Waits for background work in this process, for five turns of the event loop. Does not wait for database servers. */
export async function backgroundSettled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the reason of the rejection: the code of the error if it has one, and otherwise the error. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return 'no rejection';
}
