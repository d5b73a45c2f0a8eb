// The tiers' limits, from plans.json.
import { z } from 'zod';
import { readConfigFile } from './json-file.js';

const limit = z.int().min(0).nullable();
const plan = z.strictObject({
  daily: z.strictObject({ svg: limit, png: limit, webp: limit, catalog: limit, search: limit, domain: limit, batch: limit }),
  burstPerSecond: z.int().min(1).nullable(),
});

export const plansSchema = z.strictObject({ free: plan, pro: plan, enterprise: plan, internal: plan });

export function readPlans(): z.output<typeof plansSchema> {
  return readConfigFile('plans.json', plansSchema);
}
