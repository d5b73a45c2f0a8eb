// Opens the search for site icons for tests. The search uses real processes and connections.
import { readDefaultIcons } from '../../config/default-icons.js';
import { openSanitizer } from '../../src/catalog/sanitizer.worker.js';
import { createDrawingUploads } from '../../src/own-brands/drawing-uploads.js';
import { openOutgoing, type OutgoingOptions } from '../../src/platform/outgoing/outgoing.js';
import { hostExceptions } from '../../src/platform/outgoing/target.js';
import { NO_FENCE } from '../../src/platform/processes/fence.js';
import { createIconFinder } from '../../src/site-icons/find-icon.js';
import { openIconDecoder } from '../../src/site-icons/icon-decoder.worker.js';

export type TestFinder = ReturnType<typeof openFinder>;

/** `origins`: items of the form `HOST=ORIGIN`, like in SITE_ICON_ORIGINS. */
export function openFinder(origins: readonly string[], options: Partial<OutgoingOptions> = {}) {
  const outgoing = openOutgoing({ userAgent: 'Blazon/test', exceptions: hostExceptions(origins), ...options });
  const sanitizer = openSanitizer({ processes: 2 });
  const decoder = openIconDecoder(NO_FENCE);
  const uploads = createDrawingUploads({ sanitizer, atOnce: 2 });
  return {
    find: createIconFinder({ outgoingFor: () => outgoing, uploads, decoder, isDefault: readDefaultIcons() }),
    close: () => Promise.all([outgoing.close(), sanitizer.close(), decoder.close()]),
  };
}
