// Ids of the Stripe API.
import { randomBytes } from 'node:crypto';

/** As long as Stripe's own of that kind. */
export function newId(prefix: string, characters = 24): string {
  return prefix + randomBytes(characters / 2).toString('hex');
}
