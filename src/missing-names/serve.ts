// Opens the counts of names that were not found. Request handlers add to the counts.
import type { Serving } from '../platform/feature.js';
import { openMissingCounts } from './missing-counts.js';

export function serveMissingNames({ stores, services, now, onError }: Serving) {
  const counts = openMissingCounts({
    store: stores.missingNames,
    now,
    onError: (error) => onError(error, 'writing missing names failed; trying again'),
  });
  services.missing.listen((asker, names) => counts.count(asker, names));
  return {
    services: {},
    /** Never rejects, because the process must end even if the counts cannot be stored. */
    close: () => counts.close().catch((error: unknown) => onError(error, 'writing missing names failed')),
  };
}
