// Secrets that sign requests to endpoints. They are derived and not stored, so a reader of the database cannot sign.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { RecordOf } from '../platform/stores/stored-record.js';
import { randomBase62 } from '../platform/text/base62.js';
import { HOUR_MS } from '../platform/time.js';

/** Time in ms for which a replaced secret still signs. */
export const OVERLAP_MS = 24 * HOUR_MS;

/** A secret is derived from its nonce and from a secret of the deployment. */
export const storedSecretSchema = z.object({
  nonce: z.string(),
  /** Last four characters of the secret. */
  hint: z.string(),
  /** Time at which the secret stops signing, in ms since the epoch; null for the current secret. */
  untilMs: z.int().nullable(),
});
export type StoredSecret = RecordOf<typeof storedSecretSchema>;

/** Secrets of the deployment. New secrets of endpoints are derived from the first one. */
export type SigningSecrets = readonly [string, ...string[]];

function secretText(root: string, nonce: string): string {
  const bytes = createHmac('sha256', root).update(`webhook:${nonce}`).digest().subarray(0, 24);
  return `whsec_${bytes.toString('base64')}`;
}

export function newSecret([root]: SigningSecrets): { readonly secret: string; readonly stored: StoredSecret } {
  const nonce = randomBase62(22);
  const secret = secretText(root, nonce);
  return { secret, stored: { nonce, hint: secret.slice(-4), untilMs: null } };
}

export function rotated(secrets: readonly StoredSecret[], fresh: StoredSecret, atMs: number): StoredSecret[] {
  const replaced = secrets.map((one) => ({ ...one, untilMs: one.untilMs ?? atMs + OVERLAP_MS }));
  return [fresh, ...replaced.filter((one) => signs(one, atMs))];
}

/** A time more than `OVERLAP_MS` ahead counts as past, because only a wrong clock can have set it. */
function signs({ untilMs }: StoredSecret, atMs: number): boolean {
  return untilMs === null || (untilMs > atMs && untilMs <= atMs + OVERLAP_MS);
}

/**
 * Returns the value of `webhook-signature`: one signature made with each secret that is valid at `atMs`. Omits secrets
 * that were derived from a deployment secret outside `roots`. Returns undefined if no secret is left.
 */
export function signatures(
  roots: SigningSecrets,
  secrets: readonly StoredSecret[],
  { id, body, atMs }: { readonly id: string; readonly body: string; readonly atMs: number },
): string | undefined {
  const signing = secrets.filter((one) => signs(one, atMs));
  const texts = signing.flatMap(
    ({ nonce, hint }) => roots.map((root) => secretText(root, nonce)).find((text) => text.endsWith(hint)) ?? [],
  );
  if (texts.length === 0) return undefined;
  return texts.map((secret) => new Webhook(secret).sign(id, new Date(atMs), body)).join(' ');
}
