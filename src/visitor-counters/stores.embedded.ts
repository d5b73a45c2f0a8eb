// Store of visitor counters for a single process: SQLite.
import type { EmbeddedFamily } from '../platform/stores/feature-stores.js';
import { openEmbeddedVisitorCounters } from './visitor-counters.sqlite.js';

export function openStores({ db, now, onError, onClose }: EmbeddedFamily) {
  const visitorCounters = openEmbeddedVisitorCounters({
    ...{ db, now },
    onError: (error) => onError(error, 'writing the visitor counters failed'),
  });
  onClose(async () => visitorCounters.close());
  return { visitorCounters };
}
