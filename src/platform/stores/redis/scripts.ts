// Lua scripts of lua/, one per operation, called by their hash.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { redisErrorText, type RedisArgument, type RedisConnection } from './connection.js';

const FOLDER = new URL('lua/', import.meta.url);

/** The number behind a script's name is that of its keys. */
export type Script = (keys: readonly string[], args: readonly RedisArgument[]) => Promise<unknown>;

/** Reads lua/NAME.lua and sends it to the servers, before any call of it. Calls reject as `RedisConnection.send` does, and when the script itself fails. */
export function loadScript(
  { send, sendToMasters }: Pick<RedisConnection, 'send' | 'sendToMasters'>,
  name: string,
): Script {
  const source = readFileSync(new URL(`${name}.lua`, FOLDER), 'utf8');
  const sha = createHash('sha1').update(source).digest('hex');
  sendToMasters('script', 'load', source);
  const keyCount = Number(name.slice(name.lastIndexOf('-') + 1));
  return async (keys, args) => {
    if (keys.length !== keyCount) throw new Error(`${name} has ${keyCount} keys, not ${keys.length}`);
    try {
      return await send('evalsha', sha, keyCount, ...keys, ...args);
    } catch (error) {
      // The server does not know it yet, so nothing was executed.
      if (!redisErrorText(error).includes('NOSCRIPT')) throw error;
      return send('eval', source, keyCount, ...keys, ...args);
    }
  };
}
