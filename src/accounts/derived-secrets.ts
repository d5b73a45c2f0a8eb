// Derives a secret for each purpose from the secrets of the deployment. A signature for one purpose is therefore never
// valid for another purpose.
import { createHmac } from 'node:crypto';
import type { Env } from '../../config/env.js';
import type { Stores } from '../platform/stores/stores.js';

type Secrets = readonly [string, ...string[]];

/** Returns the secrets of the deployment. The first one signs. */
export function deploymentSecrets(
  { JWT_SECRET }: Pick<Env, 'JWT_SECRET'>,
  stores: Pick<Stores, 'signingSecret'>,
): Secrets {
  const [first = stores.signingSecret(), ...rest] = JWT_SECRET;
  return [first, ...rest];
}

/** Returns the derived secrets, in the order of the secrets of the deployment. */
export function derivedSecrets([first, ...rest]: Secrets, purpose: string): Secrets {
  const derive = (secret: string): string =>
    createHmac('sha256', secret).update(`blazon ${purpose}`).digest('base64url');
  return [derive(first), ...rest.map(derive)];
}
