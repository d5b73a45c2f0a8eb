// What a run has been given, counted by bucket, against what the service has counted.
import { z } from 'zod';
import { BUCKETS, type Bucket } from '../../src/domain/plan.js';
import type { Answer } from './answers.js';
import type { Message } from './case.js';

/** Beginnings of the paths whose 200 counts. */
const BUCKET_OF: readonly (readonly [string, RegExp])[] = [
  ['batch', /^POST \/v1\/catalog\/batch[? ]/],
  ['svg', /^GET \/v1\/svg\//],
  ['png', /^GET \/v1\/png\//],
  ['webp', /^GET \/v1\/webp\//],
  ['catalog', /^GET \/v1\/catalog\//],
  ['search', /^GET \/v1\/search[? ]/],
  ['domain', /^GET \/v1\/brand[? ]/],
];

interface Count {
  given: number;
  /** Requests whose answer was not read to its end. */
  unknown: number;
}

export interface UsageTally {
  readonly key: string;
  add(message: Message, fields: string, answer: Answer | undefined): void;
  /** One line for each bucket that differs. */
  compare(base: string): Promise<string[]>;
}

const report = z.object({ date: z.string(), endpoints: z.record(z.string(), z.object({ used: z.number() })) });
const today = () => new Date().toISOString().slice(0, 10);

/** Of an account that is used by nothing else. */
export function usageTally(key: string): UsageTally {
  const counts = new Map<string, Count>(BUCKETS.map((bucket: Bucket) => [bucket, { given: 0, unknown: 0 }]));
  const startedOn = today();
  return {
    key,
    add({ line }, fields, answer) {
      if (!fields.includes(key)) return;
      const bucket = BUCKET_OF.find(([, pattern]) => pattern.test(line))?.[0] ?? '';
      const count = counts.get(bucket);
      if (!count) return;
      if (!answer?.isComplete) count.unknown += 1;
      else if (answer.status === 200) count.given += 1;
    },
    async compare(base) {
      const response = await fetch(`${base}/v1/usage`, { headers: { 'X-API-Key': key } });
      if (!response.ok) return [`GET /v1/usage was answered ${response.status}`];
      const { date, endpoints } = report.parse(await response.json());
      // The counters of two days cannot be compared with the answers of both.
      if (date !== startedOn) return [];
      return [...counts].flatMap(([bucket, { given, unknown }]) => {
        const used = endpoints[bucket]?.used ?? NaN;
        if (used >= given && used <= given + unknown) return [];
        return [`${bucket}: ${used} counted, ${given} given${unknown > 0 ? `, ${unknown} unknown` : ''}`];
      });
    },
  };
}
