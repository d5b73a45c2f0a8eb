// What search and lookups by domain read of an account's own brands.
import type { Slug } from '../catalog/entry.js';
import type { HostOwner } from './host-matches.js';
import type { SearchIndex } from './search-index.js';

declare module '../catalog/own-entries.js' {
  interface OwnEntries {
    /** Index of `entries`. */
    search(): Promise<SearchIndex>;
    /** The exact host first, then the hosts above it. `host` as `parseAnyHost` spells it. */
    owner(host: string): Promise<(HostOwner & { readonly slug: Slug }) | undefined>;
  }
}
