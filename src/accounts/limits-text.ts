// Text about the limits of the plans, for documents.
import { BUCKETS, TIERS, type Plans } from './plan.js';

/**
 * Returns a table with one row per bucket (group of routes). With one row per plan, the table would be too wide for a
 * phone.
 */
export function limitsText(plans: Plans): string {
  const rows = [
    ['Bucket', ...TIERS],
    ['---', ...TIERS.map(() => '---:')],
    ...BUCKETS.map((bucket) => [bucket, ...TIERS.map((tier) => numberText(plans[tier].daily[bucket]))]),
    ['per second', ...TIERS.map((tier) => numberText(plans[tier].burstPerSecond))],
  ];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `Requests per UTC day and bucket, and per second across all buckets:\n\n${table}`;
}

function numberText(limit: number | null): string {
  return limit === null ? 'unlimited' : limit.toLocaleString('en-US');
}
