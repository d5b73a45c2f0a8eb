// Lua scripts. Each operation is one script, called by its hash. A script is in the folder of the module that calls it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { redisErrorText, type RedisArgument, type RedisConnection } from './connection.js';

/** Calls a script. The number at the end of the script's file name is the number of keys. */
export type Script = (keys: readonly string[], args: readonly RedisArgument[]) => Promise<unknown>;

/**
 * Loads a script. Before its first call, sends the script to the servers. A call rejects like `RedisConnection.send`,
 * and also if the script fails.
 */
export function loadScript(
  { send, sendToMasters }: Pick<RedisConnection, 'send' | 'sendToMasters'>,
  file: URL,
): Script {
  const name = basename(file.pathname, '.lua');
  const source = readFileSync(file, 'utf8');
  const sha = createHash('sha1').update(source).digest('hex');
  sendToMasters('script', 'load', source);
  const keyCount = Number(name.slice(name.lastIndexOf('-') + 1));
  return async (keys, args) => {
    if (keys.length !== keyCount) throw new Error(`${name} has ${keyCount} keys, not ${keys.length}`);
    try {
      return await send('evalsha', sha, keyCount, ...keys, ...args);
    } catch (error) {
      // NOSCRIPT means that the server does not have the script yet and has executed nothing. The script is then called
      // by its text. Other errors are rethrown.
      if (!redisErrorText(error).includes('NOSCRIPT')) throw error;
      return send('eval', source, keyCount, ...keys, ...args);
    }
  };
}
