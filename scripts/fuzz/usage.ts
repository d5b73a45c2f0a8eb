// Successful requests of an account by bucket, compared with the usage that the service reports.
import { z } from 'zod';
import { BUCKETS, type Bucket } from '../../src/domain/metering/plan.js';
import type { Answer } from './answers.js';

/** Request lines whose 200 counts. */
const BUCKET_OF: readonly (readonly [Bucket, RegExp])[] = [
  ['batch', /^POST \/v1\/catalog\/batch[? ]/],
  ['svg', /^GET \/v1\/svg\//],
  ['png', /^GET \/v1\/(?:png|logo)\//],
  ['webp', /^GET \/v1\/webp\//],
  ['catalog', /^GET \/v1\/catalog\//],
  ['search', /^GET \/v1\/search[? ]/],
  ['domain', /^GET \/v1\/brand[? ]/],
];

const report = z.object({ date: z.string(), endpoints: z.record(z.string(), z.object({ used: z.number() })) });
const today = () => new Date().toISOString().slice(0, 10);

export type UsageTally = ReturnType<typeof usageTally>;

/** Counts for an account that nothing else uses. */
export function usageTally() {
  const counts = new Map(BUCKETS.map((bucket) => [bucket, { given: 0, unknown: 0 }]));
  const startedOn = today();
  return {
    /** Without an answer the request may count or not. */
    add(line: string, answer: Answer | undefined): void {
      const bucket = BUCKET_OF.find(([, pattern]) => pattern.test(line))?.[0];
      const count = bucket && counts.get(bucket);
      if (!count) return;
      if (!answer?.isComplete) count.unknown += 1;
      else if (answer.status === 200) count.given += 1;
    },
    /** One line for each bucket that differs from the body of `GET /v1/usage`. */
    compare(usage: unknown): string[] {
      const { date, endpoints } = report.parse(usage);
      // The counters of two days cannot be compared with the answers of both.
      if (date !== startedOn) return [];
      return [...counts].flatMap(([bucket, { given, unknown }]) => {
        const used = endpoints[bucket]?.used ?? NaN;
        if (used >= given && used <= given + unknown) return [];
        return [`${bucket}: ${used} counted, ${given} given, ${unknown} unknown`];
      });
    },
  };
}
