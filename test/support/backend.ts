// The family under test, chosen by the environment: its stores, as another process beside the service has them, with
// what tests look at and set.
import type { Stores } from '../../src/compose/stores.js';
import type { AccountId } from '../../src/domain/account/account.js';
import type { Bucket } from '../../src/domain/metering/plan.js';
import type { CatalogPart } from './sample-catalog.js';

/** `embedded`, or `cluster` with BLAZON_TEST_FAMILY=cluster. */
export const FAMILY = process.env.BLAZON_TEST_FAMILY === 'cluster' ? 'cluster' : 'embedded';

export interface TestBackend {
  /** Of the environment: where the service finds the same stores. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stores: Stores;
  /** Accounts, and security events of this one. */
  records(id: AccountId): Promise<number>;
  /** Whether a request for a password reset is stored, or a mail is still to be sent. */
  isMailing(): Promise<boolean>;
  /** Sets today's counter. */
  setUsed(id: AccountId, bucket: Bucket, used: number): Promise<void>;
  /** All bytes that are stored. */
  stored(): Promise<Buffer>;
  /** From now on the stores cannot be written; returns the function that ends it. */
  block(): Promise<() => void>;
  /** `keep`: what is stored stays for the next time the folder is opened. */
  close(options?: { readonly keep?: boolean }): Promise<void>;
}

interface Options {
  /** ms since the epoch */
  readonly now: () => number;
  /** What a new folder has of the imported catalog. */
  readonly catalog: CatalogPart | 'none';
}

/** The stores that belong to this folder: new ones, or those of an earlier call. */
export async function openBackend(dataDir: string, options: Options): Promise<TestBackend> {
  // Imported when used: processes that tests kill by the hundred load no drivers that they do not need.
  if (FAMILY === 'cluster') return (await import('./cluster-backend.js')).openClusterBackend(dataDir, options);
  return (await import('./embedded-backend.js')).openEmbeddedBackend(dataDir, options);
}
