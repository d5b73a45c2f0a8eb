// Usage and response counters in the data export of an account.
import { z } from 'zod';
import { exportedValue } from '../accounts/export-field.js';
import { BUCKETS } from '../accounts/plan.js';
import { ALL_DAYS } from '../platform/day-range.js';
import { count, utcDay } from '../platform/http/openapi/times-and-counts.js';
import { responseCounts, slugRequests } from './analytics.routes.js';
import { MAX_COUNTED_SLUGS } from './day-responses.js';
import { bucketEntries } from './usage-counter.js';

const usageSchema = z
  .array(
    z.object({
      date: utcDay,
      bucket: z.enum(BUCKETS).meta({ description: 'Bucket of the requests.' }),
      used: count.meta({ description: 'Counted requests of the day.' }),
    }),
  )
  .meta({ description: 'Usage per day and bucket, oldest first.' });

const responsesSchema = z
  .array(
    z.object({
      date: utcDay,
      responses: responseCounts,
      slugs: z.array(slugRequests).max(MAX_COUNTED_SLUGS).meta({ description: 'Most requested slugs.' }),
    }),
  )
  .meta({ description: 'Responses per day, oldest first, and the most requested slugs.' });

export const exportFields = [
  exportedValue('usage', usageSchema, async ({ id }, { usage }) =>
    (await usage.range(id, ALL_DAYS)).flatMap(({ day, used }) =>
      bucketEntries(used).map(([bucket, counted]) => ({ date: day, bucket, used: counted })),
    ),
  ),
  exportedValue('responses', responsesSchema, async ({ id }, { responses }) =>
    (await responses.range(id, ALL_DAYS)).map(({ day, ...counted }) => ({
      date: day,
      responses: counted.responses,
      slugs: counted.slugs,
    })),
  ),
];
