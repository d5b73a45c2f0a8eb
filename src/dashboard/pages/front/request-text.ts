// The curl command for a request, to be copied.
import { settings } from '../../settings.js';

export function requestText(path: string): string {
  return `curl '${settings.origin}${path}' \\\n  -H 'X-API-Key: blz_…'`;
}
