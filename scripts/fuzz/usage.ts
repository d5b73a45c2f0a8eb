// Successful requests of a run by bucket, compared with the usage that the service reports.
import { z } from 'zod';
import { BUCKETS, type Bucket } from '../../src/domain/metering/plan.js';
import type { Answer } from './answers.js';
import type { Case, Role } from './case.js';

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

const LOGO = /^GET \/v1\/logo\/[^? ]*\??([^ ]*)/;

/** Undefined: a 200 does not count. */
function bucketOf(line: string): string | undefined {
  const logo = LOGO.exec(line);
  if (logo) return new URLSearchParams(logo[1]).get('format') ?? 'png';
  return BUCKET_OF.find(([, pattern]) => pattern.test(line))?.[0];
}

/** Requests that were rejected, kept to find the one that counted all the same. */
const MAX_REJECTED = 200;

interface Count {
  given: number;
  /** Requests whose answer was not read to its end. */
  unknown: number;
}

export interface Source {
  readonly index: number;
  readonly case: Case;
}

export interface UsageTally {
  add(from: Source, at: number, sent: { readonly fields: string; readonly answer: Answer | undefined }): void;
  /** One line for each bucket that differs. */
  compare(base: string): Promise<string[]>;
  /** Sends the rejected requests once more, one by one: the first after which more is counted than was given. */
  findUnduly(base: string, send: (one: Source) => Promise<unknown>): Promise<Source | undefined>;
}

const report = z.object({ date: z.string(), endpoints: z.record(z.string(), z.object({ used: z.number() })) });
const today = () => new Date().toISOString().slice(0, 10);

/** Of an account that is used by nothing else. */
export function usageTally(role: Role, key: string): UsageTally {
  const counts = new Map<string, Count>(BUCKETS.map((bucket: Bucket) => [bucket, { given: 0, unknown: 0 }]));
  const rejected: Source[] = [];
  const startedOn = today();

  async function compare(base: string): Promise<string[]> {
    const response = await fetch(`${base}/v1/usage`, { headers: { 'X-API-Key': key } });
    if (!response.ok) return [`GET /v1/usage of ${role} was answered ${response.status}`];
    const { date, endpoints } = report.parse(await response.json());
    // The counters of two days cannot be compared with the answers of both.
    if (date !== startedOn) return [];
    return [...counts].flatMap(([bucket, { given, unknown }]) => {
      const used = endpoints[bucket]?.used ?? NaN;
      if (used >= given && used <= given + unknown) return [];
      return [`${bucket} of ${role}: ${used} counted, ${given} given${unknown > 0 ? `, ${unknown} unknown` : ''}`];
    });
  }

  return {
    add(from, at, { fields, answer }) {
      if (!fields.includes(key)) return;
      const line = from.case.messages[at]?.line ?? '';
      const count = counts.get(bucketOf(line) ?? '');
      if (!count) return;
      if (!answer?.isComplete) count.unknown += 1;
      else if (answer.status === 200) count.given += 1;
      else if (rejected.length < MAX_REJECTED) rejected.push(from);
    },
    compare,
    async findUnduly(base, send) {
      let before = await compare(base);
      for (const source of rejected.splice(0)) {
        await send(source);
        const after = await compare(base);
        if (after.join() !== before.join()) return source;
        before = after;
      }
      return undefined;
    },
  };
}
