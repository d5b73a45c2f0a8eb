// Secrets of endpoints. They are derived, not stored: a reader of the database cannot sign.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { randomBase62 } from '../platform/text/base62.js';
import { HOUR_MS } from '../platform/time.js';
import type { StoredSecret } from './endpoint.js';

/** Time in ms for which a replaced secret still signs. */
export const OVERLAP_MS = 24 * HOUR_MS;
const NONCE_LENGTH = 22;
const SECRET_BYTES = 24;
const HINT_CHARACTERS = 4;

export type SigningSecrets = readonly [string, ...string[]];

/** Returns `whsec_…`. `root`: a secret of the deployment. */
function secretText(root: string, nonce: string): string {
  const bytes = createHmac('sha256', root).update(`webhook:${nonce}`).digest().subarray(0, SECRET_BYTES);
  return `whsec_${bytes.toString('base64')}`;
}

const hintOf = (secret: string): string => secret.slice(-HINT_CHARACTERS);

/** Creates a secret. The text is shown once. */
export function newSecret([root]: SigningSecrets): { readonly secret: string; readonly stored: StoredSecret } {
  const nonce = randomBase62(NONCE_LENGTH);
  const secret = secretText(root, nonce);
  return { secret, stored: { nonce, hint: hintOf(secret), untilMs: null } };
}

/** Returns the secrets of an endpoint after a rotation. */
export function rotated(secrets: readonly StoredSecret[], fresh: StoredSecret, atMs: number): StoredSecret[] {
  const replaced = secrets.map((one) => ({ ...one, untilMs: one.untilMs ?? atMs + OVERLAP_MS }));
  return [fresh, ...replaced.filter((one) => signs(one, atMs))];
}

/**
 * Returns true if the secret still signs. An end later than any rotation can set was written by a wrong clock, and
 * counts as past.
 */
function signs({ untilMs }: StoredSecret, atMs: number): boolean {
  return untilMs === null || (untilMs > atMs && untilMs <= atMs + OVERLAP_MS);
}

interface Message {
  readonly id: string;
  readonly body: string;
  readonly atMs: number;
}

/**
 * Returns the value of `webhook-signature`, with a signature of each secret that signs now. Returns undefined if the
 * deployment no longer has the secret from which the endpoint's secret was derived.
 */
export function signatures(
  roots: SigningSecrets,
  secrets: readonly StoredSecret[],
  { id, body, atMs }: Message,
): string | undefined {
  const texts = secrets
    .filter((one) => signs(one, atMs))
    .flatMap(
      ({ nonce, hint }) => roots.map((root) => secretText(root, nonce)).find((one) => hintOf(one) === hint) ?? [],
    );
  if (texts.length === 0) return undefined;
  return texts.map((secret) => new Webhook(secret).sign(id, new Date(atMs), body)).join(' ');
}
