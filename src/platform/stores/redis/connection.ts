// Connection to one Redis server or to a Redis Cluster: commands of one tick share a pipeline, none is sent twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Command, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import { AppError } from '../../errors.js';
import { within } from '../../concurrency/deadline.js';
import { createWriteProbe } from './write-probe.js';

export type RedisArgument = string | number | Buffer;

/** One master, as `serverFacts` found it. */
export interface RedisServerFacts {
  /** `host:port` */
  readonly address: string;
  /** Null where an ACL forbids INFO. */
  readonly version: string | null;
  /** False: a replica, which rejects writes. Null where an ACL forbids INFO. */
  readonly isMaster: boolean | null;
  /** ms since the epoch by the server's clock, and the round trip in which it was read. */
  readonly nowMs: number;
  readonly roundTripMs: number;
  /** Null where the server does not disclose its configuration (CONFIG is often disabled by providers). */
  readonly maxmemoryPolicy: string | null;
  readonly appendonly: string | null;
  readonly save: string | null;
}

export type RedisConnection = ReturnType<typeof connectionOf>;

interface OpenOptions {
  /** How long the first connection may take. */
  readonly readyLimitMs?: number;
}

/**
 * Time of a command, with the pipeline before it and the redirections of a cluster. Not the driver's `commandTimeout`, which
 * rejects what has arrived already when the event loop was busy.
 */
export const SEND_LIMIT_MS = 800;
/** A connection that owes an answer for so long is replaced. */
const SOCKET_TIMEOUT_MS = 2000;
const MAX_RETRY_DELAY_MS = 1000;
/** A failover is noticed within this time, also by a process that sends nothing. */
const SLOTS_REFRESH_MS = 1000;
const READY_LIMIT_MS = 10_000;

const retryDelay = (times: number): number => Math.min(50 * times, MAX_RETRY_DELAY_MS);

const NODE_OPTIONS = {
  socketTimeout: SOCKET_TIMEOUT_MS,
  connectTimeout: SOCKET_TIMEOUT_MS,
  maxRetriesPerRequest: 0,
  // A command without an answer may have been executed; sent again it would count twice.
  autoResendUnfulfilledCommands: false,
  // Its INFO needs a permission that an ACL may lack, and it waits for seconds after a load has ended.
  enableReadyCheck: false,
} satisfies RedisOptions;

/**
 * The server is connected but rejects writes: it was demoted, is full, cannot save, or has too few replicas. Redis 6 quotes the
 * reply inside the error of a script.
 */
const REJECTS_WRITES = /(?:^|-)(READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS) /;
/** A replaced connection may lead to the same server; each replacement fails the commands under way. */
const REPLACED_EVERY_MS = 1000;

/** The command was rejected before it was executed, and may succeed on another node or in a moment. */
const REDIRECTED = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /;

/**
 * One URL (`redis://`, `rediss://`) is a single server; several, separated by commas, are nodes of a Redis Cluster.
 * Resolves when it is ready; throws an Error that names hosts, never the password.
 */
export async function openRedis(
  url: string,
  { readyLimitMs = READY_LIMIT_MS }: OpenOptions = {},
): Promise<RedisConnection> {
  const nodes = url.split(',').map((part) => parseUrl(part.trim()));
  const client = nodes.length === 1 ? createSingle(url.trim()) : createCluster(nodes);
  let lastError = 'no answer';
  // Without a listener, an `error` event ends the process.
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

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new Error('the address of Redis is not a URL');
  const url = new URL(text);
  if (!['redis:', 'rediss:'].includes(url.protocol))
    throw new Error(`the address of Redis must begin with redis:// or rediss://, not ${url.protocol}//`);
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
 * Decides on each error reply whether the driver replaces the connection, which resolves the host name again: after a failover the
 * address may lead to another server. The rejected command is not sent again.
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
    // Holds the commands of a node that is being connected; `send` rejects while the cluster itself is not ready.
    enableOfflineQueue: true,
    clusterRetryStrategy: retryDelay,
    // Zero is never: the command on a lost connection may have been executed.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 100,
    retryDelayOnTryAgain: 50,
    maxRedirections: 5,
    slotsRefreshTimeout: SLOTS_REFRESH_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Certificates are of names, not of the addresses behind them.
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
  // By address: the driver makes a new object for each connection to a node.
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
  // It rejects after the first attempt only; others follow.
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
     * One command, at most once, its reply. Rejects with AppError `unavailable` within a second; whether the server
     * executed the command is unknown then.
     */
    send: (command: string, ...args: readonly RedisArgument[]): Promise<unknown> =>
      inTime(() => (client instanceof Cluster ? sendToCluster(client, command, args) : client.call(command, ...args))),
    /**
     * As `send`; strings of the reply are Buffers, for what is no text. Outside of pipelines, so that the driver follows
     * redirections; its `callBuffer` loses the name of the command (6.0).
     */
    sendForBytes: (command: string, ...args: readonly RedisArgument[]): Promise<unknown> =>
      inTime(() => Promise.resolve(client.sendCommand(new Command(command, [...args], { replyEncoding: null })))),
    /** The same on every master, at once and whatever comes of it. */
    sendToMasters(command: string, ...args: readonly RedisArgument[]): void {
      for (const node of mastersOf(client)) node.call(command, ...args).catch(() => undefined);
    },
    /** Writes a throw-away key to every master; rejects with AppError `unavailable`. */
    async check(): Promise<void> {
      await inTime(() => Promise.all(mastersOf(client).map(writeTo)));
    },
    /** Facts of every master; rejects with AppError `unavailable`. */
    serverFacts: (): Promise<readonly RedisServerFacts[]> => inTime(() => Promise.all(mastersOf(client).map(factsOf))),
    /** Sends what is queued, then disconnects. */
    async close(): Promise<void> {
      if (client.status === 'ready') await within(SEND_LIMIT_MS, client.quit()).catch(() => undefined);
      client.disconnect();
    },
  };
}

/**
 * The driver redirects a pipeline only when all of it was rejected with one and the same message, so a rejected command
 * is sent once more by itself.
 */
async function sendToCluster(client: Cluster, command: string, args: readonly RedisArgument[]): Promise<unknown> {
  try {
    return await client.call(command, ...args);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!REDIRECTED.test(error.message)) {
      // A lost node is found again, or its successor, by asking the others.
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

/** The driver's errors carry the arguments of the command, so only their text is kept. */
function unavailable(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  const [, code] = REJECTS_WRITES.exec(message) ?? [];
  const text = code === undefined ? 'Redis cannot be used right now.' : `Redis rejects writes right now (${code}).`;
  return new AppError('unavailable', text, { cause: new Error(`Redis: ${message}`) });
}

/** Text of the driver's error behind a rejection of `send`. */
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
