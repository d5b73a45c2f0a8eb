// Requests to endpoints, as the Standard Webhooks specification defines them.
import type { Opening } from '../platform/feature.js';
import type { Outgoing, OutgoingFailure } from '../platform/outgoing/outgoing.js';
import { withoutInvisible } from '../platform/text/printable.js';
import { SECOND_MS } from '../platform/time.js';
import { retryAfterMs } from '../platform/web/retry-after.js';
import { SHOWN_BYTES, type Delivery, type TryResult } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { signatures, type SigningSecrets } from './signing-secret.js';

/** Time limit of a request, including its response, ms. */
export const TRY_MS = 10 * SECOND_MS;

const FAILURES: Readonly<Record<Exclude<OutgoingFailure, 'aborted'>, string>> = {
  'not-allowed': 'The address is not public.',
  unresolved: 'The host has no address.',
  unreachable: 'The connection failed.',
  timeout: `There was no complete response within ${TRY_MS / SECOND_MS} s.`,
  redirects: 'The response is a redirect.',
  'too-large': 'The response is too large.',
  malformed: 'The response is not valid HTTP.',
};
const NO_SECRET =
  'The secret of this endpoint was made with a JWT_SECRET that is no longer set. Rotate the secret of the endpoint.';

interface Ports extends Pick<Opening, 'now'> {
  readonly outgoing: Pick<Outgoing, 'request'>;
  readonly signingSecrets: SigningSecrets;
}

/** Sends a delivery once. Returns undefined if the process stops. Never rejects. */
export async function sendDelivery(
  { outgoing, signingSecrets, now }: Ports,
  { url, secrets }: Endpoint,
  { eventId, body }: Delivery,
  signal: AbortSignal,
): Promise<TryResult | undefined> {
  const beganMs = performance.now();
  const atMs = now();
  const result = (httpStatus: number | null, text: string, waitMs?: number): TryResult => ({
    ...{ at: new Date(atMs), httpStatus, durationMs: Math.round(performance.now() - beganMs) },
    ...{ response: withoutInvisible(text), retryAfterMs: waitMs },
  });
  const signature = signatures(signingSecrets, secrets, { id: eventId, body, atMs });
  if (signature === undefined) return result(null, NO_SECRET);
  const outcome = await outgoing.request({
    ...{ method: 'POST', url, body, signal, maxRedirects: 0, totalMs: TRY_MS, maxBytes: SHOWN_BYTES, excess: 'cut' },
    headers: {
      'content-type': 'application/json',
      // Only the start of the response is stored. The start of a compressed response could not always be decoded.
      'accept-encoding': 'identity',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(atMs / SECOND_MS)),
      'webhook-signature': signature,
    },
  });
  if (!outcome.ok) return outcome.failure === 'aborted' ? undefined : result(null, FAILURES[outcome.failure]);
  const { status, headers } = outcome;
  return result(status, outcome.body.toString('utf8'), retryAfterMs(status, headers['retry-after'], now()));
}
