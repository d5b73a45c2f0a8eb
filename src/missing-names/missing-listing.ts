// Lists the requested names that the catalog still lacks, for the operator.
import type { BrandFacts } from '../search/brand-index.js';
import { parseSlug } from '../catalog/entry.js';
import { missingReport, type ReportedName } from './missing-names.js';
import { type MissingKind, type MissingName } from '../platform/not-found.js';
import { addDays, utcDay } from '../platform/utc-day.js';
import { parseHost } from '../platform/web/host-name.js';
import type { CatalogStore } from '../catalog/catalog-store.js';
import type { MissingNames } from './missing-name-store.js';
import { buildIndexes, type CatalogIndexes } from '../search/indexes.js';

interface Options {
  readonly store: Pick<CatalogStore, 'state' | 'find' | 'entries'>;
  readonly missingNames: Pick<MissingNames, 'range'>;
  readonly brandFacts: BrandFacts;
  /** Current time, ms since the epoch. */
  readonly now: () => number;
}

interface Wanted {
  /** Number of UTC days, including today. */
  readonly days: number;
  readonly kind?: MissingKind | undefined;
}

export function createMissingListing({ store, missingNames, brandFacts, now }: Options) {
  async function isFound({ kind, name }: MissingName, { brands, search }: CatalogIndexes): Promise<boolean> {
    if (kind === 'name') return search.named(name).length > 0;
    if (kind === 'domain') {
      const host = parseHost(name);
      return host.kind === 'host' && brands.owner(host) !== undefined;
    }
    const slug = parseSlug(name);
    return slug !== undefined && (await store.find(slug)).kind !== 'missing';
  }

  return {
    /** Returns the missing names, most requested first. Omits names that the catalog now contains. */
    async list({ days, kind }: Wanted): Promise<readonly ReportedName[]> {
      const to = utcDay(now());
      const report = missingReport(await missingNames.range({ from: addDays(to, 1 - days), to }));
      const asked = kind === undefined ? report : report.filter((one) => one.kind === kind);
      if (asked.length === 0) return asked;
      const generation = (await store.state())?.generation ?? 0;
      const indexes = await buildIndexes({
        ...{ entries: store.entries(), generation, brandFacts, kinds: [] },
        pause: () => undefined,
      });
      const found = await Promise.all(asked.map((one) => isFound(one, indexes)));
      return asked.filter((_, at) => found[at] === false);
    },
  };
}
