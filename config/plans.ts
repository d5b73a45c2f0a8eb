// Reads the limits of the plans from plans.json.
import { z } from 'zod';
import { fields, readConfigFile } from './json-file.js';

const LIMIT = { error: 'must be a whole number of at least 0, or null for no limit' };
const BURST = { error: 'must be a whole number of at least 1, or null for no limit' };

const limit = z.int(LIMIT).min(0, LIMIT).nullable();
const plan = fields({
  daily: fields({ svg: limit, png: limit, webp: limit, catalog: limit, search: limit, domain: limit, batch: limit }),
  burstPerSecond: z.int(BURST).min(1, BURST).nullable(),
  ownBrands: limit,
  siteIcons: limit,
});

export const plansSchema = fields({ free: plan, pro: plan, enterprise: plan, internal: plan });

export function readPlans(): z.output<typeof plansSchema> {
  return readConfigFile('plans.json', plansSchema);
}
