// Connection to MongoDB: one client with a pool, majority reads and writes on the primary.
import { MongoClient, type Db } from 'mongodb';
import { inTime, orUnavailable, TIME_LIMIT_MS } from './driver-error.js';

const APP_NAME = 'blazon';
const DEFAULT_DATABASE = 'blazon';
const NAMES_DATABASE = /^[^:]+:\/\/[^/]+\/[^?]/;
const MAX_POOL_SIZE = 50;
/** Also the limit of a connection attempt, after which the monitor takes a silent server for lost. */
const CONNECT_TIMEOUT_MS = 1000;
const HEARTBEAT_MS = 1000;

export interface MongoConnection {
  /** Its operations have majority read and write concern, and no time limit. */
  readonly db: Db;
  /** For transactions. */
  readonly client: MongoClient;
  /** Rejects with AppError `unavailable` while there is no primary that answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  /** Connections of this process at most. */
  readonly maxPoolSize?: number;
}

/** The address is of no use. Says nothing of it: it may hold a password. */
export class MongoAddressError extends Error {
  override readonly name = 'MongoAddressError';
}

/**
 * `uri` as of mongodb.com/docs/manual/reference/connection-string; without a database name, that is `blazon`. Rejects with
 * MongoAddressError, and with AppError `unavailable` when no primary answers.
 */
export async function openMongo(uri: string, { maxPoolSize = MAX_POOL_SIZE }: Options = {}): Promise<MongoConnection> {
  const client = createClient(uri, maxPoolSize);
  try {
    await orUnavailable(() => client.connect());
  } catch (error) {
    await client.close();
    throw error;
  }
  const db = client.db(NAMES_DATABASE.test(uri) ? client.options.dbName : DEFAULT_DATABASE);
  return {
    db,
    client,
    async check() {
      await inTime(() => db.command({ ping: 1 }));
    },
    close: () => client.close(),
  };
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
      serverSelectionTimeoutMS: TIME_LIMIT_MS,
      waitQueueTimeoutMS: TIME_LIMIT_MS,
      connectTimeoutMS: CONNECT_TIMEOUT_MS,
      heartbeatFrequencyMS: HEARTBEAT_MS,
    });
  } catch {
    // Without its cause, whose message may repeat the address.
    throw new MongoAddressError(
      'the address of MongoDB is malformed; it looks like mongodb://HOST/blazon?replicaSet=rs0',
    );
  }
}
