// Connection to one Redis server or to a Redis Cluster. Commands of one event loop tick share a pipeline. A command is
// never repeated if the server may have executed it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Command, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import { AppError } from '../../errors.js';
import { parseUrl } from '../../web/parse-url.js';
import { within } from '../../concurrency/deadline.js';
import { createWriteProbe } from './write-probe.js';

export type RedisArgument = string | number | Buffer;

/** Facts about one server that the client uses as a master. */
export interface RedisServerFacts {
  /** `host:port` of the server. */
  readonly address: string;
  /** Server version; null if the user may not call INFO. */
  readonly version: string | null;
  /** True for a master. False for a replica, which rejects writes. Null if the user may not call INFO. */
  readonly isMaster: boolean | null;
  /** Time of the server's clock in ms since the epoch, and the duration in ms of the call that read this time. */
  readonly nowMs: number;
  readonly roundTripMs: number;
  /**
   * Setting `maxmemory-policy`; null if the server does not allow the command CONFIG, which providers often disable.
   */
  readonly maxmemoryPolicy: string | null;
  readonly appendonly: string | null;
  readonly save: string | null;
}

export type RedisConnection = ReturnType<typeof connectionOf>;

interface OpenOptions {
  /** Time limit in ms of the first connection. */
  readonly readyLimitMs?: number;
}

/**
 * Time limit of a command in ms. It includes earlier commands of the same pipeline, and redirections in a cluster. The
 * driver's `commandTimeout` is not used, because it rejects replies that arrived while the event loop was blocked.
 */
export const SEND_LIMIT_MS = 800;
/** Time in ms without a reply after which a connection is replaced. */
const SOCKET_TIMEOUT_MS = 2000;
const MAX_RETRY_DELAY_MS = 1000;
/** Interval in ms at which a process checks whether other servers have become masters, even if it sends no commands. */
const SLOTS_REFRESH_MS = 1000;
const READY_LIMIT_MS = 10_000;

const retryDelay = (times: number): number => Math.min(50 * times, MAX_RETRY_DELAY_MS);

const NODE_OPTIONS = {
  socketTimeout: SOCKET_TIMEOUT_MS,
  connectTimeout: SOCKET_TIMEOUT_MS,
  maxRetriesPerRequest: 0,
  // A command without a reply may have been executed. If it were sent again, it would count twice.
  autoResendUnfulfilledCommands: false,
  // The driver's ready check is not used. It calls INFO, which the user may not be allowed to call, and it waits for
  // seconds after Redis has loaded its data.
  enableReadyCheck: false,
} satisfies RedisOptions;

/**
 * Matches errors of a server that rejects all writes, because it is now a replica, is full, cannot save, or has too few
 * replicas. In Redis 6, the error of a script contains the original error after a hyphen.
 */
const REJECTS_WRITES = /(?:^|-)(READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS) /;
/**
 * Minimum time in ms between two replacements of a connection. The interval is needed because a new connection may
 * reach the same server, and each replacement makes the running commands fail.
 */
const REPLACED_EVERY_MS = 1000;

/**
 * Matches errors for a command that was rejected before its execution. Another node may accept the command, or the same
 * node may accept it a moment later.
 */
const REDIRECTED = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /;

/**
 * Connects to Redis. One URL (`redis://`, `rediss://`) means a single server. Several URLs, separated by commas, are
 * nodes of a Redis Cluster. Resolves when Redis is ready. Throws an Error that contains the hosts, but no passwords.
 */
export async function openRedis(
  url: string,
  { readyLimitMs = READY_LIMIT_MS }: OpenOptions = {},
): Promise<RedisConnection> {
  const nodes = url.split(',').map((part) => parseRedisUrl(part.trim()));
  const client = nodes.length === 1 ? createSingle(url.trim()) : createCluster(nodes);
  let lastError = 'no answer';
  // Without this listener, an `error` event would end the process.
  client.on('error', (error: Error) => {
    lastError = error.message;
  });
  if (client instanceof Cluster) client.on('node error', (error: Error) => (lastError = error.message));
  try {
    await ready(client, readyLimitMs);
  } catch {
    client.disconnect();
    const hosts = nodes.map(({ host }) => host).join(', ');
    throw new Error(`Redis (${hosts}) was not ready within ${readyLimitMs / 1000} s: ${lastError}`);
  }
  return connectionOf(client);
}

function parseRedisUrl(text: string): URL {
  const url = parseUrl(text);
  if (!url) throw new Error('the Redis URL is malformed');
  if (!['redis:', 'rediss:'].includes(url.protocol))
    throw new Error(`the Redis URL must start with redis:// or rediss://, not ${url.protocol}//`);
  return url;
}

function createSingle(url: string): Redis {
  return new Redis(url, {
    ...NODE_OPTIONS,
    lazyConnect: true,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    retryStrategy: retryDelay,
    reconnectOnError: createConnectionReplacement(),
  });
}

/**
 * Returns a function that decides for each error reply whether the driver must replace the connection. After a
 * failover, the old master rejects writes. A new connection resolves the host name again and may reach the new master.
 * The rejected command is not repeated.
 */
function createConnectionReplacement(): (error: Error) => boolean {
  let replacedAtMs = -Infinity;
  return ({ message }) => {
    const nowMs = performance.now();
    if (!REJECTS_WRITES.test(message) || nowMs - replacedAtMs < REPLACED_EVERY_MS) return false;
    replacedAtMs = nowMs;
    return true;
  };
}

const KEEP_NAME: NonNullable<ClusterOptions['dnsLookup']> = (address, callback) => {
  callback(null, address);
};

function createCluster(nodes: readonly URL[]): Cluster {
  const [first] = nodes;
  const isTls = first?.protocol === 'rediss:';
  const options = {
    lazyConnect: true,
    enableAutoPipelining: true,
    // Queues commands for a node while the client connects to this node. Before the client is connected to the cluster,
    // `send` rejects.
    enableOfflineQueue: true,
    clusterRetryStrategy: retryDelay,
    // Zero disables retries after a failover, because a command on a lost connection may have been executed.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 100,
    retryDelayOnTryAgain: 50,
    maxRedirections: 5,
    slotsRefreshTimeout: SLOTS_REFRESH_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Host names are not resolved to IP addresses, because TLS certificates contain host names.
    ...(isTls && { dnsLookup: KEEP_NAME }),
    redisOptions: {
      ...NODE_OPTIONS,
      ...(first && first.username !== '' && { username: decodeURIComponent(first.username) }),
      ...(first && first.password !== '' && { password: decodeURIComponent(first.password) }),
      ...(isTls && { tls: {} }),
    },
  } satisfies ClusterOptions;
  const startNodes = nodes.map(({ hostname, port }) => ({ host: hostname, port: port === '' ? 6379 : Number(port) }));
  const client = new Cluster(startNodes, options);
  // Address of a node → the function that decides whether to replace its connection. The driver creates a new client
  // object for each connection, so the functions are not stored in client objects.
  const replacements = new Map<string, (error: Error) => boolean>();
  client.on('+node', ({ options: node }: Redis) => {
    const address = addressOf(node);
    const replacement = replacements.get(address) ?? createConnectionReplacement();
    replacements.set(address, replacement);
    node.reconnectOnError = replacement;
  });
  return client;
}

function addressOf({ host, port }: RedisOptions): string {
  return `${host ?? ''}:${port ?? ''}`;
}

async function ready(client: Redis | Cluster, limitMs: number): Promise<void> {
  const deadlineMs = performance.now() + limitMs;
  // Ignores a rejection, because it concerns only the first attempt. The driver makes further attempts.
  client.connect().catch(() => undefined);
  while (client.status !== 'ready' || !(await answers(client))) {
    if (performance.now() > deadlineMs) throw new Error('not ready');
    await sleep(20);
  }
}

const answers = (client: Redis | Cluster): Promise<boolean> =>
  within(SEND_LIMIT_MS, Promise.all(mastersOf(client).map((node) => node.ping()))).then(
    () => true,
    () => false,
  );

const mastersOf = (client: Redis | Cluster): Redis[] => (client instanceof Cluster ? client.nodes('master') : [client]);

function connectionOf(client: Redis | Cluster) {
  const writeTo = createWriteProbe();
  async function inTime<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      if (client.status !== 'ready') throw new Error(`the connection is ${client.status}`);
      return await within(SEND_LIMIT_MS, ask());
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    isCluster: client instanceof Cluster,
    /**
     * Sends one command at most once, and returns its reply. Rejects with AppError `unavailable` within a second. After
     * a rejection, the server may still have executed the command.
     */
    send: (command: string, ...args: readonly RedisArgument[]): Promise<unknown> =>
      inTime(() => (client instanceof Cluster ? sendToCluster(client, command, args) : client.call(command, ...args))),
    /**
     * Sends a command like `send`, but returns strings as Buffers, for binary data. The command is not part of a
     * pipeline, so that the driver follows redirections. The driver's `callBuffer` is not used, because it loses the
     * name of the command (version 6.0).
     */
    sendForBytes: (command: string, ...args: readonly RedisArgument[]): Promise<unknown> =>
      inTime(() => Promise.resolve(client.sendCommand(new Command(command, [...args], { replyEncoding: null })))),
    /** Sends a command to every master at once, and ignores the results. */
    sendToMasters(command: string, ...args: readonly RedisArgument[]): void {
      for (const node of mastersOf(client)) node.call(command, ...args).catch(() => undefined);
    },
    /** Writes a temporary key to every master. Rejects with AppError `unavailable`. */
    async check(): Promise<void> {
      await inTime(() => Promise.all(mastersOf(client).map(writeTo)));
    },
    /** Returns facts about every master. Rejects with AppError `unavailable`. */
    serverFacts: (): Promise<readonly RedisServerFacts[]> => inTime(() => Promise.all(mastersOf(client).map(factsOf))),
    /** Sends the queued commands, then disconnects. */
    async close(): Promise<void> {
      if (client.status === 'ready') await within(SEND_LIMIT_MS, client.quit()).catch(() => undefined);
      client.disconnect();
    },
  };
}

/**
 * Sends a command. The driver puts simultaneous commands into one pipeline. It redirects a pipeline only if all
 * commands in it fail with the same message. This function therefore repeats a redirected command alone, in a new
 * pipeline.
 */
async function sendToCluster(client: Cluster, command: string, args: readonly RedisArgument[]): Promise<unknown> {
  try {
    return await client.call(command, ...args);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!REDIRECTED.test(error.message)) {
      // The node may be lost. The driver asks the other nodes for its new address, or for the node that has replaced
      // it.
      client.refreshSlotsCache();
      throw error;
    }
    client.refreshSlotsCache();
    const [reply] =
      (await client
        .pipeline()
        .call(command, ...args)
        .exec()) ?? [];
    if (!reply) throw error;
    const [failure, value] = reply;
    if (failure) throw failure;
    return value;
  }
}

/** Converts the driver's error. Keeps only the text, because the error also contains the arguments of the command. */
function unavailable(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  const [, code] = REJECTS_WRITES.exec(message) ?? [];
  const text = code === undefined ? 'Redis cannot be used right now.' : `Redis rejects writes right now (${code}).`;
  return new AppError('unavailable', text, { cause: new Error(`Redis: ${message}`) });
}

/** Returns the text of the driver's error that made `send` reject. */
export function redisErrorText(error: unknown): string {
  return error instanceof AppError && error.cause instanceof Error ? error.cause.message : '';
}

async function factsOf(node: Redis): Promise<RedisServerFacts> {
  const beganMs = performance.now();
  const [seconds, microseconds] = await node.time();
  const roundTripMs = performance.now() - beganMs;
  const info = await node.info().catch(() => '');
  const setting = async (name: string): Promise<string | null> => {
    const reply = await node.config('GET', name).catch(() => null);
    return Array.isArray(reply) ? (reply[1] ?? '') : null;
  };
  return {
    address: addressOf(node.options),
    version: /^redis_version:(\S+)/m.exec(info)?.[1] ?? null,
    isMaster: info === '' ? null : /^role:master/m.test(info),
    nowMs: Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000),
    roundTripMs,
    maxmemoryPolicy: await setting('maxmemory-policy'),
    appendonly: await setting('appendonly'),
    save: await setting('save'),
  };
}
