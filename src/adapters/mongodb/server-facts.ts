// Facts about the MongoDB server and its database, for the doctor.
import type { Db } from 'mongodb';
import { z } from 'zod';
import { inTime } from './driver-error.js';

export interface MongoFacts {
  readonly version: string;
  /** Null: no replica set. */
  readonly setName: string | null;
  /** That vote or hold data, arbiters included; 1 without a replica set. */
  readonly members: number;
  /** ms since the epoch by the server's clock. */
  readonly nowMs: number;
  /** Ids of the migrations that were applied. */
  readonly migrations: readonly string[];
}

const HELLO = z.object({
  setName: z.string().optional(),
  hosts: z.array(z.string()).default([]),
  arbiters: z.array(z.string()).default([]),
  localTime: z.date(),
});
const BUILD = z.object({ version: z.string() });

/** Rejects with AppError `unavailable`. */
export async function mongoFacts(db: Db): Promise<MongoFacts> {
  const hello = HELLO.parse(await inTime(() => db.command({ hello: 1 })));
  const { version } = BUILD.parse(await inTime(() => db.command({ buildInfo: 1 })));
  const applied = await inTime(() =>
    db
      .collection<{ readonly _id: string }>('migrations')
      .find({ appliedAt: { $exists: true } })
      .toArray(),
  );
  return {
    version,
    setName: hello.setName ?? null,
    members: Math.max(1, hello.hosts.length + hello.arbiters.length),
    nowMs: hello.localTime.getTime(),
    migrations: applied.map(({ _id }) => _id),
  };
}
