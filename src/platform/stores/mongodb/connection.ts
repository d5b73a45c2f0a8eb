// Connection to MongoDB: one client with a pool of connections. Reads and writes go to the primary and need a majority
// of the replica set.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, MongoServerSelectionError, type Db } from 'mongodb';
import { isCode } from '../../errors.js';
import { inTime, orUnavailable, timeLimits } from './driver-error.js';

const APP_NAME = 'blazon';
const DEFAULT_DATABASE = 'blazon';
const NAMES_DATABASE = /^[^:]+:\/\/[^/]+\/[^?]/;
const MAX_POOL_SIZE = 50;
/**
 * Time limit of a connection attempt in ms. After this time, the driver treats a server that does not respond as lost.
 */
const CONNECT_TIMEOUT_MS = 1000;
const HEARTBEAT_MS = 1000;
/**
 * Maximum wait for the primary at start, in ms. It is long enough for an election, or for a machine on which all
 * servers start at once.
 */
const READY_LIMIT_MS = 10_000;
const RETRY_MS = 100;

export interface MongoConnection {
  /** Database. Its operations have majority read and write concern. They have no time limit. */
  readonly db: Db;
  readonly client: MongoClient;
  /**
   * Checks that the database accepts writes: writes a test document. Rejects with AppError `unavailable` if no majority
   * of the replica set confirms the write.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  /** Maximum number of connections of this process. */
  readonly maxPoolSize?: number;
  /** Maximum wait for the primary at start, in ms. */
  readonly readyLimitMs?: number;
}

/**
 * Error for an invalid address. Its message does not contain the address, because the address may contain a password.
 */
export class MongoAddressError extends Error {
  override readonly name = 'MongoAddressError';
}

/** Error for a replica set that has no configuration yet. */
export class UninitiatedSetError extends Error {
  override readonly name = 'UninitiatedSetError';
  constructor() {
    super('the replica set is not initiated; run rs.initiate() in mongosh on one of its members');
  }
}

/**
 * Connects to MongoDB. `uri` is a connection string (mongodb.com/docs/manual/reference/connection-string). The default
 * database is `blazon`. Rejects with MongoAddressError or UninitiatedSetError, and with AppError `unavailable` if no
 * primary responds.
 */
export async function openMongo(
  uri: string,
  { maxPoolSize = MAX_POOL_SIZE, readyLimitMs = READY_LIMIT_MS }: Options = {},
): Promise<MongoConnection> {
  const client = createClient(uri, maxPoolSize);
  try {
    await connect(client, readyLimitMs);
  } catch (error) {
    await client.close();
    throw error;
  }
  const db = client.db(NAMES_DATABASE.test(uri) ? client.options.dbName : DEFAULT_DATABASE);
  return {
    db,
    client,
    check: () => writeProbe(db),
    close: () => client.close(),
  };
}

async function writeProbe(db: Db): Promise<void> {
  const probes = db.collection<{ readonly _id: string; readonly at: Date }>('writeProbe');
  // `wtimeoutMS` is set because the server would otherwise keep the connection busy until a majority is available.
  const writeConcern = { w: 'majority', journal: true, wtimeoutMS: timeLimits.attemptMs } as const;
  await inTime(() =>
    probes.updateOne({ _id: 'readiness' }, { $currentDate: { at: true } }, { upsert: true, writeConcern }),
  );
}

/** Waits until a primary responds. Each attempt takes at most `timeLimits.attemptMs`. */
async function connect(client: MongoClient, limitMs: number): Promise<void> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    try {
      await orUnavailable(() => client.connect());
      return;
    } catch (error) {
      if (!isCode(error, 'unavailable')) throw error;
      if (performance.now() > deadlineMs) throw isUninitiated(error.cause) ? new UninitiatedSetError() : error;
      await sleep(RETRY_MS);
    }
  }
}

/** Returns true if the members run with --replSet, but have no configuration. */
function isUninitiated(error: unknown): boolean {
  const servers = error instanceof MongoServerSelectionError ? [...(error.reason?.servers.values() ?? [])] : [];
  return servers.length > 0 && servers.every(({ type }) => type === 'RSGhost');
}

function createClient(uri: string, maxPoolSize: number): MongoClient {
  try {
    return new MongoClient(uri, {
      appName: APP_NAME,
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      retryWrites: true,
      retryReads: true,
      maxPoolSize,
      serverSelectionTimeoutMS: timeLimits.requestMs,
      waitQueueTimeoutMS: timeLimits.requestMs,
      connectTimeoutMS: CONNECT_TIMEOUT_MS,
      heartbeatFrequencyMS: HEARTBEAT_MS,
    });
  } catch {
    // The new error has no cause, because the message of the cause may contain the address.
    throw new MongoAddressError('the MongoDB URL is malformed; use a URL such as mongodb://HOST/blazon?replicaSet=rs0');
  }
}
