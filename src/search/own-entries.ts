// Methods that the search feature adds to an account's own brands (`OwnEntries`): a search index, a lookup by host.
import type { Slug } from '../catalog/entry.js';
import type { HostOwner } from './host-matches.js';
import type { SearchIndex } from './search-index.js';

declare module '../catalog/own-entries.js' {
  interface OwnEntries {
    search(): Promise<SearchIndex>;
    /**
     * Returns the brand of the account to which a host belongs. Checks the exact host first, then its parent domains.
     * `host` must be the result of `parseAnyHost`.
     */
    owner(host: string): Promise<(HostOwner & { readonly slug: Slug }) | undefined>;
  }
}
