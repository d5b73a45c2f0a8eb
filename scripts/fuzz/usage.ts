// Successful requests of an account by bucket, compared with the usage that the service reports.
import { z } from 'zod';
import { BUCKETS, type Bucket } from '../../src/domain/metering/plan.js';
import type { Answer } from './answers.js';

/** Beginnings of the requests whose 200 counts. */
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

export interface UsageTally {
  /** `line`: of the request; without an answer it may count or not. */
  add(line: string, answer: Answer | undefined): void;
  /** One line for each bucket that differs. */
  compare(base: string): Promise<string[]>;
}

/** Of an account that is used by nothing else. */
export function usageTally(name: string, key: string): UsageTally {
  const counts = new Map(BUCKETS.map((bucket) => [bucket, { given: 0, unknown: 0 }]));
  const startedOn = today();
  return {
    add(line, answer) {
      const bucket = BUCKET_OF.find(([, pattern]) => pattern.test(line))?.[0];
      const count = bucket && counts.get(bucket);
      if (!count) return;
      if (!answer?.isComplete) count.unknown += 1;
      else if (answer.status === 200) count.given += 1;
    },
    async compare(base) {
      const response = await fetch(`${base}/v1/usage`, { headers: { 'X-API-Key': key } });
      if (!response.ok) return [`GET /v1/usage of ${name} was answered ${response.status}`];
      const { date, endpoints } = report.parse(await response.json());
      // The counters of two days cannot be compared with the answers of both.
      if (date !== startedOn) return [];
      return [...counts].flatMap(([bucket, { given, unknown }]) => {
        const used = endpoints[bucket]?.used ?? NaN;
        if (used >= given && used <= given + unknown) return [];
        return [`${bucket} of ${name}: ${used} counted, ${given} given${unknown > 0 ? `, ${unknown} unknown` : ''}`];
      });
    },
  };
}
