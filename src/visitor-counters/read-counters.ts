// Reads the visitor counters from counters.json.
import { parseUrl } from '../platform/web/parse-url.js';
import { z } from 'zod';
import { LABEL_PATTERN, LABEL_RULE } from './badge.js';
import {
  ANY_ORIGIN,
  COUNTER_NAME_PATTERN,
  COUNTER_NAME_RULE,
  type CounterConfig,
  type CounterName,
} from './counter.js';
import { fields, readConfigFile } from '../../config/json-file.js';

const MAX_COUNTERS = 1000;
const MAX_ORIGINS = 100;

const ORIGIN = { error: 'must be an origin such as https://example.com, or *' };
const ORIGINS = { error: `must be a list of at most ${MAX_ORIGINS} origins; it may be empty` };
const LABEL = { error: `must be text: ${LABEL_RULE}` };
const SEED = { error: 'must be a whole number of at least 0' };

const counter = fields({
  origins: z.array(z.string(ORIGIN).refine(isOrigin, ORIGIN), ORIGINS).max(MAX_ORIGINS, ORIGINS),
  enabled: z.boolean({ error: 'must be true or false' }).default(true),
  seed: z.int(SEED).min(0, SEED).default(0),
  label: z.string(LABEL).regex(LABEL_PATTERN, LABEL).optional(),
});

export const countersSchema = z
  .record(z.string(), counter, { error: 'must be an object with counters by name' })
  .superRefine((counters, context) => {
    const names = Object.keys(counters);
    const wrong = names.find((name) => !COUNTER_NAME_PATTERN.test(name));
    if (wrong !== undefined)
      context.addIssue({ code: 'custom', path: [wrong], message: `is not a valid counter name: ${COUNTER_NAME_RULE}` });
    if (names.length > MAX_COUNTERS)
      context.addIssue({ code: 'custom', path: [], message: `has ${names.length} counters; at most ${MAX_COUNTERS}` });
  });

export function readCounters(): CounterConfig {
  const counters = Object.entries(readConfigFile('counters.json', countersSchema));
  return new Map(counters.map(([name, { label, ...rest }]) => [name as CounterName, { ...rest, label }]));
}

function isOrigin(text: string): boolean {
  return text === ANY_ORIGIN || (/^https?:/.test(text) && parseUrl(text)?.origin === text);
}
