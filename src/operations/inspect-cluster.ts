// Checks of the cluster's servers: whether they can be reached, and whether their settings protect acknowledged writes.
import { clockFinding, failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import { mongoCatalogRows } from '../catalog/catalog-rows.mongodb.js';
import { openMongo, UninitiatedSetError } from '../platform/stores/mongodb/connection.js';
import { unknownIds } from '../platform/stores/mongodb/migrate.js';
import { MIGRATIONS } from '../platform/stores/mongodb/migrations.js';
import { mongoFacts, type MongoFacts, type ReplicaSet } from '../platform/stores/mongodb/server-facts.js';
import { openRedis, type RedisServerFacts } from '../platform/stores/redis/connection.js';
import { mongoTables } from '../platform/stores/mongodb/tables.js';
import { reasonOf } from '../platform/errors.js';
import { FEATURES } from '../features.js';
import { catalogFinding, storedFindings } from './doctor.js';
import { createCatalogStore } from '../catalog/catalog-store.records.js';

interface Servers {
  readonly mongodbUri: string;
  readonly redisUrl: string;
}

/** Time limit in ms. Redis normally gets one connection attempt only, but an operator waits for this command. */
const READY_LIMIT_MS = 3000;
const SET_CHECK = 'mongodb replica set';

/** Checks Redis and MongoDB. Writes nothing. */
export async function inspectCluster({ mongodbUri, redisUrl }: Servers): Promise<readonly Finding[]> {
  return [
    ...(await inspectRedis(redisUrl).catch((error: unknown) => [unreachable('redis', 'REDIS_URL', error)])),
    ...(await inspectMongo(mongodbUri).catch((error: unknown) => [
      error instanceof UninitiatedSetError ? uninitiated() : unreachable('mongodb', 'MONGODB_URI', error),
    ])),
  ];
}

function unreachable(server: string, variable: string, error: unknown): Finding {
  return failure(
    server,
    `It cannot be used: ${reasonOf(error)}`,
    `Start it, or correct ${variable}; look at its firewall and its password.`,
  );
}

async function inspectRedis(url: string): Promise<Finding[]> {
  const redis = await openRedis(url, { readyLimitMs: READY_LIMIT_MS });
  try {
    const beforeMs = Date.now();
    const facts = await redis.serverFacts();
    const period = [beforeMs, Date.now()] as const;
    return facts.flatMap((server) => [
      ...redisFindings(server),
      clockFinding(`redis ${server.address}`, server.nowMs, period),
    ]);
  } finally {
    await redis.close();
  }
}

function redisFindings(facts: RedisServerFacts): Finding[] {
  const { address, maxmemoryPolicy, appendonly, save } = facts;
  const name = `redis ${address}`;
  const reached = redisServer(name, facts);
  if (maxmemoryPolicy === null)
    return [
      reached,
      warning(
        name,
        'It does not disclose its settings.',
        'Make sure of maxmemory-policy noeviction and appendonly yes.',
      ),
    ];
  const policy =
    maxmemoryPolicy === 'noeviction'
      ? ok(`${name} memory`, 'maxmemory-policy is noeviction.')
      : failure(
          `${name} memory`,
          `maxmemory-policy is ${maxmemoryPolicy}: counters and locks are dropped when memory is short.`,
          'Set maxmemory-policy noeviction.',
        );
  const persistence =
    appendonly === 'yes' || save !== ''
      ? ok(`${name} persistence`, appendonly === 'yes' ? 'appendonly is on.' : `Snapshots: ${save ?? ''}.`)
      : warning(
          `${name} persistence`,
          'Neither appendonly nor snapshots: after a restart, up to 5 s of counts are missing, in the customers’ favor.',
          'Set appendonly yes.',
        );
  return [reached, policy, persistence];
}

function redisServer(name: string, { version, isMaster }: RedisServerFacts): Finding {
  const message = version === null ? 'It answers, and does not disclose its version.' : `Version ${version}.`;
  if (isMaster !== false) return ok(name, message);
  return failure(
    name,
    `${message} It is a replica and rejects writes.`,
    'Let REDIS_URL lead to the master, or promote this server: REPLICAOF NO ONE.',
  );
}

async function inspectMongo(uri: string): Promise<Finding[]> {
  const mongo = await openMongo(uri, { readyLimitMs: READY_LIMIT_MS });
  try {
    const beforeMs = Date.now();
    const facts = await mongoFacts(mongo.db);
    const clock = clockFinding('mongodb', facts.nowMs, [beforeMs, Date.now()]);
    const table = mongoTables(mongo);
    const catalog = createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now: Date.now });
    const stored = await storedFindings(FEATURES, { table });
    return [...mongoFindings(facts), clock, await catalogFinding(catalog), ...stored];
  } finally {
    await mongo.close();
  }
}

function mongoFindings({ version, set, migrations }: MongoFacts): Finding[] {
  return [ok('mongodb', `Version ${version}.`), set ? replicaSet(set) : singleServer(), schema(migrations)];
}

/** Checks collections and indexes by the applied migrations. */
function schema(applied: readonly string[]): Finding {
  const check = 'mongodb schema';
  const unknown = unknownIds(MIGRATIONS, applied);
  if (unknown.length > 0)
    return failure(
      check,
      `It is of a newer release (${unknown.join(', ')}): processes of this one run on, but cannot start.`,
      'Start the newer release.',
    );
  const missing = MIGRATIONS.map(({ id }) => id).filter((id) => !applied.includes(id));
  if (missing.length === 0) return ok(check, 'It is that of this release, with all indexes.');
  return warning(check, `Not applied yet: ${missing.join(', ')}.`, 'Start the service: it applies them.');
}

function uninitiated(): Finding {
  return failure(
    SET_CHECK,
    'It is not initiated: its members run with --replSet and have no configuration.',
    'Run rs.initiate() in mongosh on one member, and rs.add() for each other one.',
  );
}

function singleServer(): Finding {
  return failure(
    SET_CHECK,
    'It is a single server: writes are not replicated, and changes may be lost with it.',
    'Start mongod with --replSet, and run rs.initiate().',
  );
}

function replicaSet({ name, dataBearing, arbiters, health }: ReplicaSet): Finding {
  const total = dataBearing.length;
  const needed = health?.writeMajority ?? Math.floor((total + arbiters.length) / 2) + 1;
  const unhealthy = health?.unhealthy ?? [];
  const members =
    health === null
      ? `${total} data-bearing ${total === 1 ? 'member' : 'members'}, whose health its user must not read (role clusterMonitor)`
      : `${total - unhealthy.length} of ${total} data-bearing members healthy`;
  const names =
    arbiters.length > 0 ? ` Arbiters, which hold no data and confirm no write: ${arbiters.join(', ')}.` : '';
  const message = `${name} has ${members}; a write needs ${needed}.${names}`;
  if (unhealthy.length > 0) {
    const finding = total - unhealthy.length < needed ? failure : warning;
    return finding(
      SET_CHECK,
      `${message} Not healthy: ${unhealthy.join(', ')}.`,
      'Start them, and look at their logs.',
    );
  }
  if (total > needed) return ok(SET_CHECK, message);
  const advice =
    arbiters.length > 0 ? 'Replace arbiters with members that hold data.' : 'Add members, up to 3: rs.add().';
  return warning(SET_CHECK, `${message} Writes stop when one of these members does.`, advice);
}
