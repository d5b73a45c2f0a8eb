// Service of metering that only request handlers need: the response counts.
import type { Serving } from '../platform/feature.js';
import { openResponseCounts } from './response-counts.js';

export function serveMetering({ stores, shares, now, onError }: Serving) {
  const responseCounts = openResponseCounts({
    history: stores.responses,
    now,
    maxBytes: shares.responseCounts,
    onError: (error) => onError(error, 'writing response counters failed; trying again'),
  });
  return {
    services: { responseCounts },
    /** Never rejects, because a failed write must not prevent the process from ending. */
    close: () => responseCounts.close().catch((error: unknown) => onError(error, 'writing response counters failed')),
  };
}
