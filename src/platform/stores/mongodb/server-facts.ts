// Facts about the MongoDB server and its database, for the command `doctor`.
import type { Db } from 'mongodb';
import { z } from 'zod';
import { UninitiatedSetError } from './connection.js';
import { inTime } from './driver-error.js';

export interface MongoFacts {
  readonly version: string;
  /** Replica set; undefined for a standalone server. */
  readonly set: ReplicaSet | undefined;
  /** Time of the server's clock in ms since the epoch. */
  readonly nowMs: number;
  readonly migrations: readonly string[];
}

export interface ReplicaSet {
  readonly name: string;
  /** `host:port` of the members that store data. */
  readonly dataBearing: readonly string[];
  /** `host:port` of the arbiters. Arbiters vote, but cannot confirm a write. */
  readonly arbiters: readonly string[];
  /** Health of the replica set; null if the MongoDB user may not read its status (role clusterMonitor). */
  readonly health: SetHealth | null;
}

interface SetHealth {
  /** `host:port (state)` of the members that store data, but are currently neither primary nor secondary. */
  readonly unhealthy: readonly string[];
  /** Number of members that must confirm a majority write. */
  readonly writeMajority: number;
}

const HELLO = z.object({
  /** True for a member that has no configuration. Members with a configuration do not send this field. */
  isreplicaset: z.boolean().default(false),
  setName: z.string().optional(),
  hosts: z.array(z.string()).default([]),
  /** `host:port` of the members that store data but cannot become primary. */
  passives: z.array(z.string()).default([]),
  arbiters: z.array(z.string()).default([]),
  localTime: z.date(),
});
const STATUS = z.object({
  writeMajorityCount: z.number(),
  members: z.array(z.object({ name: z.string(), health: z.number(), stateStr: z.string() })),
});
const BUILD = z.object({ version: z.string() });

/** Reads the facts. Rejects with UninitiatedSetError, and with AppError `unavailable`. */
export async function mongoFacts(db: Db): Promise<MongoFacts> {
  const hello = HELLO.parse(await inTime(() => db.command({ hello: 1 })));
  if (hello.isreplicaset) throw new UninitiatedSetError();
  const { version } = BUILD.parse(await inTime(() => db.command({ buildInfo: 1 })));
  const applied = await inTime(() =>
    db
      .collection<{ readonly _id: string }>('migrations')
      .find({ appliedAt: { $exists: true } })
      .toArray(),
  );
  return {
    version,
    set: hello.setName === undefined ? undefined : await replicaSet(db, hello.setName, hello),
    nowMs: hello.localTime.getTime(),
    migrations: applied.map(({ _id }) => _id),
  };
}

const HEALTHY: readonly string[] = ['PRIMARY', 'SECONDARY'];

async function replicaSet(
  db: Db,
  name: string,
  { hosts, passives, arbiters }: z.output<typeof HELLO>,
): Promise<ReplicaSet> {
  const reply = await inTime(() => db.admin().command({ replSetGetStatus: 1 })).catch(() => undefined);
  const status = STATUS.safeParse(reply).data;
  if (!status) return { name, dataBearing: [...hosts, ...passives], arbiters, health: null };
  // The members are read from the status and not from `hosts` and `passives`, because only the status lists hidden
  // members.
  const members = status.members.filter((member) => !arbiters.includes(member.name));
  const unhealthy = members.filter(({ health, stateStr }) => health !== 1 || !HEALTHY.includes(stateStr));
  return {
    name,
    dataBearing: members.map((member) => member.name),
    arbiters,
    health: {
      unhealthy: unhealthy.map((member) => `${member.name} (${member.stateStr})`),
      writeMajority: status.writeMajorityCount,
    },
  };
}
