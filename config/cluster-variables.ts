// Variables of the cluster's servers, and the URL options that are rejected.
import { z } from 'zod';
import { isRedisUrl } from './urls.js';

const MONGODB_PROMISE =
  'Writes must be confirmed by the majority, journaled and retried. Reads must go to the primary.';

export const CLUSTER_VARIABLES = {
  MONGODB_URI: {
    schema: z
      .string()
      .refine((text) => text === '' || /^mongodb(\+srv)?:\/\/[^\s/]+/.test(text), {
        error:
          'mongodb:// or mongodb+srv://, followed by the hosts of a replica set, for example ' +
          'mongodb://a,b,c/blazon?replicaSet=rs0',
        abort: true,
      })
      .refine((text) => weakeningMongoOption(text) === undefined, {
        error: ({ input }) => `a URL ${weakeningMongoOption(String(input)) ?? ''}. ${MONGODB_PROMISE}`,
      }),
    default: '',
    meaning:
      'URL of the MongoDB replica set for accounts, catalog and usage history. Its path is the database name ' +
      '(`blazon`). Options that weaken durable writes or consistent reads are rejected. If MONGODB_URI and ' +
      'REDIS_URL are both empty, the service uses an embedded database.',
    secret: true,
  },
  REDIS_URL: {
    schema: z
      .string()
      .refine((text) => text === '' || text.split(',').every(isRedisUrl), {
        error:
          'redis:// or rediss://, followed by a host; for a Redis Cluster, the URLs of several nodes, separated by ' +
          'commas',
        abort: true,
      })
      .refine((text) => rejectedRedisOption(text) === undefined, {
        error: ({ input }) =>
          `a URL without ?${rejectedRedisOption(String(input)) ?? ''}. The only allowed option is family=0, 4 or ` +
          '6, for a single server.',
      }),
    default: '',
    meaning:
      'URL of Redis, for counters, locks and rate limits. One URL is a single server; several URLs, separated by ' +
      'commas, are a Redis Cluster.',
    secret: true,
  },
} as const;

const IP_FAMILIES: readonly string[] = ['0', '4', '6'];

/**
 * Returns the name of the first URL option that is not allowed, or undefined. Without this check, a URL option could
 * change any setting of the Redis driver.
 */
function rejectedRedisOption(addresses: string): string | undefined {
  const nodes = addresses.split(',');
  const isAllowed = (name: string, value: string) =>
    nodes.length === 1 && name === 'family' && IP_FAMILIES.includes(value);
  return nodes.flatMap(optionsOf).find(([name, value]) => !isAllowed(name, value))?.[0];
}

/** MongoDB URL option that could make writes less durable or reads outdated → its allowed values. */
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

/**
 * Returns how to fix the first option that is not allowed by `MONGODB_GUARANTEES`, or undefined. The text omits the
 * option's value, which may be secret.
 */
function weakeningMongoOption(address: string): string | undefined {
  for (const [given, value] of optionsOf(address))
    for (const [name, allowed] of Object.entries(MONGODB_GUARANTEES))
      // The driver ignores the case of option names.
      if (given.toLowerCase() === name.toLowerCase() && !allowed.includes(value))
        return `without ${given}${allowed.length > 0 ? `, or with ${given}=${allowed.join(' or ')}` : ''}`;
  return undefined;
}

/** Returns the query options of an address. `URL` can't parse an address with several hosts. */
function optionsOf(address: string): [name: string, value: string][] {
  const query = address.indexOf('?');
  return query === -1 ? [] : [...new URLSearchParams(address.slice(query + 1))];
}
