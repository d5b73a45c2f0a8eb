// Variables of the cluster's servers, and the options that their addresses may not have.
import { z } from 'zod';
import { isRedisUrl } from './urls.js';

const MONGODB_PROMISE = 'a write is confirmed by the majority, journaled and retried, and a read is of the primary';

/** Rows of `VARIABLES`. */
export const CLUSTER_VARIABLES = {
  MONGODB_URI: {
    schema: z
      .string()
      .refine((text) => text === '' || /^mongodb(\+srv)?:\/\/[^\s/]+/.test(text), {
        error:
          'mongodb:// or mongodb+srv:// and the hosts of a replica set, as in mongodb://a,b,c/blazon?replicaSet=rs0',
        abort: true,
      })
      .refine((text) => weakeningMongoOption(text) === undefined, {
        error: ({ input }) => `an address ${weakeningMongoOption(String(input)) ?? ''}: ${MONGODB_PROMISE}`,
      }),
    default: '',
    meaning:
      'MongoDB replica set of the cluster: accounts, catalog, usage history. Its path names the database (`blazon`). Options that weaken the durability of writes or the freshness of reads are rejected. Without both this and REDIS_URL: embedded.',
    secret: true,
  },
  REDIS_URL: {
    schema: z
      .string()
      .refine((text) => text === '' || text.split(',').every(isRedisUrl), {
        error: 'redis:// or rediss:// and a host; several nodes of a Redis Cluster separated by commas',
        abort: true,
      })
      .refine((text) => rejectedRedisOption(text) === undefined, {
        error: ({ input }) =>
          `an address without ?${rejectedRedisOption(String(input)) ?? ''}; the only option is family=0, 4 or 6, of a single server`,
      }),
    default: '',
    meaning: 'Redis of the cluster: counters, locks, rate limits. One URL: a single server; several: Redis Cluster.',
    secret: true,
  },
} as const;

const IP_FAMILIES: readonly string[] = ['0', '4', '6'];

/** Name of the first option that may not be in an address of Redis: the driver would take it for one of its settings. */
function rejectedRedisOption(addresses: string): string | undefined {
  const nodes = addresses.split(',');
  const isAllowed = (name: string, value: string) =>
    nodes.length === 1 && name === 'family' && IP_FAMILIES.includes(value);
  return nodes.flatMap(optionsOf).find(([name, value]) => !isAllowed(name, value))?.[0];
}

/**
 * Options by which an address of MongoDB could weaken what is promised, with their allowed values: a write is confirmed by the
 * majority, journaled, and retried after a failover; a read is of the primary.
 */
const MONGODB_GUARANTEES: Readonly<Record<string, readonly string[]>> = {
  w: ['majority'],
  journal: ['true'],
  j: ['true'],
  readConcernLevel: ['majority'],
  readPreference: ['primary'],
  readPreferenceTags: [],
  maxStalenessSeconds: [],
  retryWrites: ['true'],
  retryReads: ['true'],
};

/** How to mend the first option that weakens what is promised, without its value. */
function weakeningMongoOption(address: string): string | undefined {
  for (const [given, value] of optionsOf(address))
    for (const [name, allowed] of Object.entries(MONGODB_GUARANTEES))
      // The driver ignores the case of names.
      if (given.toLowerCase() === name.toLowerCase() && !allowed.includes(value))
        return `without ${given}${allowed.length > 0 ? `, or with ${given}=${allowed.join(' or ')}` : ''}`;
  return undefined;
}

/** Of addresses with several hosts, too, which URL does not parse. */
function optionsOf(address: string): [name: string, value: string][] {
  const query = address.indexOf('?');
  return query === -1 ? [] : [...new URLSearchParams(address.slice(query + 1))];
}
