// Process that replaces the key of an account, and kills or stops itself at one of the `POINTS`.
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createAccountActors } from '../../src/accounts/account-actors.js';
import { createAuditOutbox } from '../../src/platform/stores/mongodb/audit-outbox.js';
import { openMongo } from '../../src/platform/stores/mongodb/connection.js';
import { mongoTables } from '../../src/platform/stores/mongodb/tables.js';
import { createAdmissionRecords } from '../../src/metering/admission-records.redis.js';
import { openRedis } from '../../src/platform/stores/redis/connection.js';
import { createRedisLocks } from '../../src/platform/stores/redis/locks.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { AdmissionRecords } from '../../src/metering/admission-records.js';
import { createAccountStore } from '../../src/accounts/account-store.records.js';
import { invalidatingAccountStore } from '../../src/metering/invalidating-account-store.records.js';
import { regenerateKey } from '../../src/accounts/changes/credentials.js';

/** Points at which the process can be killed or stopped, in the order of a key replacement. */
export const POINTS = [
  'before the mark',
  'after the mark',
  'after the write',
  'after the publication',
  'before the answer',
  'after the answer',
] as const;
export type Point = (typeof POINTS)[number];

export interface Order {
  readonly mongodbUri: string;
  readonly redisUrl: string;
  readonly id: AccountId;
  readonly point: Point;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

/** Line of output. `decided`: the process is about to save this key. `answered`: it has saved the key. */
export type Line =
  | { readonly type: 'decided' | 'answered'; readonly apiKey: string }
  | { readonly type: 'rejected'; readonly error: string };

const LOG = { owners: 'accounts', log: 'audit', onFailure: () => undefined };
const BY = { kind: 'customer', address: null } as const;

/** Writes synchronously. An asynchronous write could be lost when the process is killed. */
function report(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function carryOut({ mongodbUri, redisUrl, id, point: chosen, signal }: Order): Promise<void> {
  let isReached = false;
  function reach(point: Point): void {
    if (isReached || point !== chosen) return;
    isReached = true;
    process.kill(process.pid, signal);
  }
  const redis = await openRedis(redisUrl);
  const mongo = await openMongo(mongodbUri);
  const accounts = invalidatingAccountStore(
    createAccountStore(mongoTables(mongo, createAuditOutbox(mongo.db, LOG)), []),
    interrupted(createAdmissionRecords(redis), reach),
  );
  const actors = createAccountActors({ accounts, locks: createRedisLocks(redis), now: Date.now });
  try {
    const { raw } = await actors.run(id, BY, (account, at) => {
      const change = regenerateKey(account, undefined, at);
      report({ type: 'decided', apiKey: change.result.raw });
      return change;
    });
    reach('before the answer');
    report({ type: 'answered', apiKey: raw });
    reach('after the answer');
  } catch (error) {
    report({ type: 'rejected', error: String(error) });
  }
  await redis.close();
  await mongo.close();
  process.disconnect();
}

function interrupted(records: AdmissionRecords, reach: (point: Point) => void): AdmissionRecords {
  return {
    async begin(id) {
      reach('before the mark');
      const token = await records.begin(id);
      reach('after the mark');
      return token;
    },
    async publish(id, token, record) {
      reach('after the write');
      await records.publish(id, token, record);
      reach('after the publication');
    },
    abandon: (id, token) => records.abandon(id, token),
  };
}

// Runs only in the forked process. The test also imports this module, for its constants, and must not handle the
// messages that mocha sends to the test process.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', (order: Order) => void carryOut(order));
  process.send?.('ready');
}
