// Successful requests of an account by bucket, compared with the usage that the service reports.
import { z } from 'zod';
import { BUCKETS, type Bucket } from '../../src/domain/metering/plan.js';
import type { Answer } from './answers.js';

/** Request lines whose 200 counts, and how much, if not one. */
const BUCKET_OF: readonly (readonly [Bucket, RegExp, number?])[] = [
  ['png', /^GET \/v1\/favicon\/[^/]+\/favicon\.zip[? ]/, 5],
  ['png', /^GET \/v1\/favicon\//],
  ['search', /^GET \/r\/registry\.json[? ]/],
  ['svg', /^GET \/r\//],
  ['batch', /^POST \/v1\/catalog\/batch[? ]/],
  ['svg', /^GET \/v1\/svg\//],
  ['png', /^GET \/v1\/(?:png|logo)\//],
  ['webp', /^GET \/v1\/webp\//],
  ['catalog', /^GET \/v1\/catalog\//],
  ['search', /^GET \/v1\/search[? ]/],
  ['domain', /^GET \/v1\/brand[? ]/],
];

/** Request lines whose 200 may count in these buckets, by what is asked for, at most so much. */
const VARYING: readonly (readonly [readonly Bucket[], RegExp, number])[] = [
  [['svg', 'png'], /^GET \/v1\/strip[? ]/, 100],
  [['search', 'svg', 'catalog', 'domain'], /^POST \/mcp[? ]/, 1],
];

const report = z.object({ date: z.string(), endpoints: z.record(z.string(), z.object({ used: z.number() })) });
const today = () => new Date().toISOString().slice(0, 10);

export type UsageTally = ReturnType<typeof usageTally>;

/** Counts for an account that nothing else uses. */
export function usageTally() {
  const counts = new Map<Bucket, { given: number; unknown: number }>();
  const countOf = (bucket: Bucket) => {
    const count = counts.get(bucket) ?? { given: 0, unknown: 0 };
    counts.set(bucket, count);
    return count;
  };
  for (const bucket of BUCKETS) countOf(bucket);
  const startedOn = today();
  return {
    /** Without an answer the request may count or not. */
    add(line: string, answer: Answer | undefined): void {
      const isUnknown = answer?.isComplete !== true;
      if (!isUnknown && answer.status !== 200) return;
      for (const [buckets, pattern, units] of VARYING)
        if (pattern.test(line)) for (const bucket of buckets) countOf(bucket).unknown += units;
      const [bucket, , units = 1] = BUCKET_OF.find(([, pattern]) => pattern.test(line)) ?? [];
      if (bucket) countOf(bucket)[isUnknown ? 'unknown' : 'given'] += units;
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
