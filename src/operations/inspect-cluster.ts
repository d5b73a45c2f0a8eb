// Checks of the cluster's servers, for the command `doctor`: whether they respond, and whether their settings protect
// acknowledged writes.
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

/** Time limit in ms to reach a server. It is long enough for several connection attempts to Redis. */
const READY_LIMIT_MS = 3000;
const SET_CHECK = 'mongodb replica set';

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
    `The server cannot be used: ${reasonOf(error)}`,
    `Start the server, or correct ${variable}. Check its firewall and password.`,
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
        'The server does not allow reading its settings.',
        'Check that maxmemory-policy is noeviction and appendonly is yes.',
      ),
    ];
  const policy =
    maxmemoryPolicy === 'noeviction'
      ? ok(`${name} memory`, 'maxmemory-policy is noeviction.')
      : failure(
          `${name} memory`,
          `maxmemory-policy is ${maxmemoryPolicy}: Redis deletes counters and locks when memory runs out.`,
          'Set maxmemory-policy noeviction.',
        );
  const persistence =
    appendonly === 'yes' || save !== ''
      ? ok(`${name} persistence`, appendonly === 'yes' ? 'appendonly is on.' : `Snapshots: ${save ?? ''}.`)
      : warning(
          `${name} persistence`,
          'Neither appendonly nor snapshots are enabled: a restart loses up to 5 s of counts, in the customers’ ' +
            'favor.',
          'Set appendonly yes.',
        );
  return [reached, policy, persistence];
}

function redisServer(name: string, { version, isMaster }: RedisServerFacts): Finding {
  const message =
    version === null ? 'The server works, but does not allow reading its version.' : `Version ${version}.`;
  if (isMaster !== false) return ok(name, message);
  return failure(
    name,
    `${message} The server is a replica and rejects writes.`,
    'Point REDIS_URL to the master, or promote this server with REPLICAOF NO ONE.',
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

/** Checks the list of applied migrations to find out whether collections and indexes are current. */
function schema(applied: readonly string[]): Finding {
  const check = 'mongodb schema';
  const unknown = unknownIds(MIGRATIONS, applied);
  if (unknown.length > 0)
    return failure(
      check,
      `The schema is from a newer release (${unknown.join(', ')}): running processes of this release continue, ` +
        'but new ones cannot start.',
      'Start the newer release.',
    );
  const missing = MIGRATIONS.map(({ id }) => id).filter((id) => !applied.includes(id));
  if (missing.length === 0) return ok(check, 'The schema matches this release, with all indexes.');
  return warning(check, `Migrations not applied yet: ${missing.join(', ')}.`, 'Start the service to apply them.');
}

function uninitiated(): Finding {
  return failure(
    SET_CHECK,
    'The replica set is not initiated: its members run with --replSet, but have no configuration.',
    'Run rs.initiate() in mongosh on one member, and rs.add() for every other member.',
  );
}

function singleServer(): Finding {
  return failure(
    SET_CHECK,
    'MongoDB is a single server: writes are not replicated, so changes are lost if it fails.',
    'Start mongod with --replSet, and run rs.initiate().',
  );
}

function replicaSet({ name, dataBearing, arbiters, health }: ReplicaSet): Finding {
  const total = dataBearing.length;
  const needed = health?.writeMajority ?? Math.floor((total + arbiters.length) / 2) + 1;
  const unhealthy = health?.unhealthy ?? [];
  const members =
    health === null
      ? `${total} data-bearing ${total === 1 ? 'member' : 'members'} with unknown health, because the user lacks ` +
        'the role clusterMonitor'
      : `${total - unhealthy.length} of ${total} data-bearing members healthy`;
  const names =
    arbiters.length > 0 ? ` Arbiters, which do not store data or confirm writes: ${arbiters.join(', ')}.` : '';
  const message = `${name} has ${members}; a write needs ${needed} of them.${names}`;
  if (unhealthy.length > 0) {
    const finding = total - unhealthy.length < needed ? failure : warning;
    return finding(
      SET_CHECK,
      `${message} Not healthy: ${unhealthy.join(', ')}.`,
      'Start these members, and check their logs.',
    );
  }
  if (total > needed) return ok(SET_CHECK, message);
  const advice =
    arbiters.length > 0 ? 'Replace the arbiters with data-bearing members.' : 'Add members with rs.add(), up to 3.';
  return warning(SET_CHECK, `${message} If one of these members fails, writes stop.`, advice);
}
