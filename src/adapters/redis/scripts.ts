// Lua scripts of lua/, one per operation, called by their hash.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AppError } from '../../errors.js';
import { redisErrorText, type RedisArgument, type RedisConnection } from './connection.js';

/** From dist/src/adapters/redis/ as from src/adapters/redis/, the scripts are in the package's src/: `tsc` copies none. */
const FOLDER = new URL(
  import.meta.url.includes('/dist/src/') ? '../../../../src/adapters/redis/lua/' : 'lua/',
  import.meta.url,
);

/** Calls in one: more would keep the server from others for longer than a millisecond. */
const MAX_BATCH = 64;

/** The number of keys ends it, as the file's name: `admit-5`. */
type ScriptName = `${string}-${number}`;
export type Script = (keys: readonly string[], args: readonly RedisArgument[]) => Promise<unknown>;

/**
 * Reads lua/NAME.lua and sends it to the servers, before any call of it. Calls reject as `RedisConnection.send` does, and
 * when the script itself fails.
 */
export function loadScript(redis: RedisConnection, name: ScriptName): Script {
  const keyCount = keyCountOf(name);
  const run = loadSource(redis, readSource(name));
  return async (keys, args) => {
    assertKeyCount(name, keys);
    return run(keyCount, [...keys, ...args]);
  };
}

/** The same, but on a single server calls of one tick are one call: a command costs this process as much as an answer. */
export function loadBatchedScript(redis: RedisConnection, name: ScriptName): Script {
  const alone = loadScript(redis, name);
  // In a cluster, keys of several accounts are on several servers.
  if (redis.isCluster) return alone;
  const keyCount = keyCountOf(name);
  const run = loadSource(redis, batchSource(readSource(name), keyCount));
  let batch: BatchedCall[] = [];

  async function sendBatch(): Promise<void> {
    const calls = batch;
    batch = [];
    const [first] = calls;
    if (!first) return;
    if (calls.length === 1) {
      alone(first.keys, first.args).then(first.resolve, first.reject);
      return;
    }
    try {
      const replies = await run(keyCount * calls.length, batchArguments(calls));
      for (const [index, { resolve, reject }] of calls.entries()) {
        const reply: unknown = Array.isArray(replies) ? replies[index] : undefined;
        if (reply instanceof Error) reject(new AppError('unavailable', undefined, { cause: reply }));
        else resolve(reply);
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  return (keys, args) => {
    assertKeyCount(name, keys);
    return new Promise((resolve, reject) => {
      // After all calls of this tick.
      if (batch.length === 0) queueMicrotask(() => void sendBatch());
      batch.push({ keys, args, resolve, reject });
      if (batch.length === MAX_BATCH) void sendBatch();
    });
  };
}

interface BatchedCall {
  readonly keys: readonly string[];
  readonly args: readonly RedisArgument[];
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Keys of all calls; then of each call the number of its arguments, and these. */
const batchArguments = (calls: readonly BatchedCall[]): RedisArgument[] => [
  ...calls.flatMap(({ keys }) => keys),
  ...calls.flatMap(({ args }) => [args.length, ...args]),
];

/** A call that fails does not keep the others from being executed: its reply is its error. */
function batchSource(source: string, keyCount: number): string {
  return `local function call(KEYS, ARGV)
${source}
end
local replies, at = {}, 1
for index = 1, #KEYS / ${keyCount} do
  local keys, args = {}, {}
  for part = 1, ${keyCount} do keys[part] = KEYS[(index - 1) * ${keyCount} + part] end
  for part = 1, tonumber(ARGV[at]) do args[part] = ARGV[at + part] end
  at = at + 1 + #args
  local done, reply = pcall(call, keys, args)
  if not done and type(reply) ~= 'table' then reply = { err = tostring(reply) } end
  replies[index] = reply
end
return replies
`;
}

function readSource(name: ScriptName): string {
  return readFileSync(new URL(`${name}.lua`, FOLDER), 'utf8');
}

const keyCountOf = (name: ScriptName): number => Number(name.slice(name.lastIndexOf('-') + 1));

function assertKeyCount(name: ScriptName, keys: readonly string[]): void {
  if (keys.length !== keyCountOf(name)) throw new Error(`${name} has ${keyCountOf(name)} keys, not ${keys.length}`);
}

type Run = (keyCount: number, parameters: readonly RedisArgument[]) => Promise<unknown>;

function loadSource({ send, sendToMasters }: RedisConnection, source: string): Run {
  const sha = createHash('sha1').update(source).digest('hex');
  sendToMasters('script', 'load', source);
  return async (keyCount, parameters) => {
    try {
      return await send('evalsha', sha, keyCount, ...parameters);
    } catch (error) {
      // The server does not know it yet, so nothing was executed.
      if (!redisErrorText(error).includes('NOSCRIPT')) throw error;
      return send('eval', source, keyCount, ...parameters);
    }
  };
}
